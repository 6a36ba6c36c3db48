import { useState, useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import type { FieldRule, FieldType } from "../rules/form-rules";
import { countCharacters, normalisedLines } from "../rules/text";
import { EmailSuggestion } from "./suggested-email";
import { FieldFrame, useFieldFrame } from "./field-frame";

/** Each type's attributes for phones' keyboards and password managers. */
const keyboards: Partial<Record<FieldType, object>> = {
  email: { type: "email", inputMode: "email", autoCapitalize: "none", spellCheck: false },
  phone: { type: "tel", inputMode: "tel" },
  // `type="url"` makes some browsers complain about `example.com` before we complete it.
  url: { type: "text", inputMode: "url", autoCapitalize: "none", spellCheck: false },
  handle: { type: "text", autoCapitalize: "none", autoCorrect: "off", spellCheck: false },
};

/** A field for one line of text. Browsers must not translate what was typed. */
export function TextField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  // Nobody has typed anything yet: the field's value comes from a draft.
  const [isLeft, setIsLeft] = useState(true);
  return (
    <FieldFrame field={field} frame={frame}>
      <input
        id={frame.inputId}
        className="input"
        type="text"
        inputMode={field.inputMode}
        {...keyboards[field.type]}
        autoComplete={field.autocomplete}
        dir="auto"
        translate="no"
        {...frame.aria}
        {...register(field.name, { onBlur: () => setIsLeft(true), onChange: () => setIsLeft(false) })}
      />
      {field.type === "email" && <EmailSuggestion name={field.name} inputId={frame.inputId} isLeft={isLeft} />}
    </FieldFrame>
  );
}

/** A field for several lines of text. It grows with its content, and counts the characters up to its minimum. */
export function LongTextField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  const counts = (field.min ?? 0) > 1;
  const counterId = `${frame.inputId}-counter`;
  const describedBy = [frame.describedBy, counts && counterId].filter(Boolean).join(" ");
  return (
    <FieldFrame field={field} frame={frame}>
      <textarea
        id={frame.inputId}
        className="input input-long"
        rows={counts ? 5 : 3}
        autoComplete="off"
        dir="auto"
        translate="no"
        {...frame.aria}
        aria-describedby={describedBy || undefined}
        {...register(field.name)}
      />
      {counts && <LengthCounter id={counterId} field={field} />}
    </FieldFrame>
  );
}

/** Long enough that a screen reader is not interrupted at every letter. */
const pause = 1200;

/** Shows how many characters are missing; nothing once there are enough. */
function LengthCounter({ id, field }: { id: string; field: FieldRule }) {
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
