import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { FieldRule } from "../rules/form-rules";
import { countCharacters, normalisedLines } from "../rules/text";

/** Long enough that a screen reader is not interrupted at every letter. */
const pause = 1200;

/** Shows how many characters are missing; nothing once there are enough. */
export function LengthCounter({ id, field }: { id: string; field: FieldRule }) {
  const text = useWatch({ name: field.name }) as string | undefined;
  const [spoken, setSpoken] = useState("");
  const least = field.min ?? 0;
  const count = countCharacters(normalisedLines(text ?? ""));
  const words = lengthWords(count, least);

  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(() => setSpoken(words), pause);
    return () => clearTimeout(timer);
  }, [count, words]);

  return (
    <div className="counter" data-enough={count >= least || undefined}>
      <progress className="counter-bar" max={least} value={Math.min(count, least)} aria-hidden="true" />
      <span aria-hidden="true">{words}</span>
      <span id={id} className="hidden-text">At least {least} characters</span>
      <span className="hidden-text" role="status">{spoken}</span>
    </div>
  );
}

export function lengthWords(count: number, least: number): string {
  if (count === 0) return `At least ${least} characters`;
  const missing = least - count;
  if (missing > 0) return `${missing} more ${missing === 1 ? "character" : "characters"} to go`;
  return `${count} characters`;
}
