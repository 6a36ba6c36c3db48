import { useState } from "react";
import { LongTextField } from "../../kit/field";

/** The comment, which the competitor reads without the judge's name. It is saved when the field loses the focus. */
export function Comment({ value, readOnly, onGive }: { value: string; readOnly: boolean; onGive: (comment: string) => void }) {
  const [typed, setTyped] = useState<string>();
  const leave = () => {
    if (typed === undefined) return;
    setTyped(undefined);
    if (typed.trim() !== value) onGive(typed.trim());
  };
  return (
    <LongTextField
      label="Comment" note="(optional)" hint="The competitor reads it, without your name." rows={3} maxLength={2000} readOnly={readOnly}
      value={typed ?? value} onChange={({ target }) => setTyped(target.value)} onBlur={leave}
    />
  );
}
