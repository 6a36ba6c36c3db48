import { useEffect, useEffectEvent, useState } from "react";
import { LongTextField } from "../../kit/field";
import { useBeforeLeaving } from "./use-before-leaving";

/** A pause in typing after which the text is saved, in milliseconds. */
const pause = 1_000;

interface Props {
  value: string;
  readOnly: boolean;
  onGive: (comment: string) => void;
}

/** The comment, which the competitor reads without the judge's name. It is saved after a pause in typing, and when the judge leaves the field, the sheet or the app. */
export function Comment({ value, readOnly, onGive }: Props) {
  const [typed, setTyped] = useState<string>();
  const give = () => {
    if (!readOnly && typed !== undefined && typed.trim() !== value) onGive(typed.trim());
  };
  const giveLatest = useEffectEvent(give);
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => giveLatest(), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  useBeforeLeaving(give);
  const leave = () => {
    setTyped(undefined);
    give();
  };
  return (
    <LongTextField
      label="Comment" note="(optional)" hint="The competitor reads it, without your name." rows={3} maxLength={2000} readOnly={readOnly}
      value={readOnly ? value : typed ?? value} onChange={({ target }) => setTyped(target.value)} onBlur={leave}
    />
  );
}
