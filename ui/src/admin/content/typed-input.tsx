import { useState, type ComponentProps } from "react";
import { TextField } from "../../kit/field";
import { useUnsaved } from "../shell/unsaved";
import type { Value } from "./fields/field";
import { siteChanges } from "./use-draft";

interface Props extends Omit<ComponentProps<typeof TextField>, "value" | "onChange"> {
  stored: Value | undefined;
  /** The stored value as people type it. */
  write: (stored: Value | undefined) => string;
  /** The typed text as a value; undefined if it is invalid. */
  read: (typed: string) => Value | undefined;
  /** The error for invalid text, which says what to type instead. */
  wrong: string;
  onValue: (value: Value) => void;
}

/** A text field for a number, an amount or a day. Invalid text stays in the field and is not saved. */
export function TypedInput({ stored, write, read, wrong, onValue, error, ...field }: Props) {
  const [typed, setTyped] = useState<{ text: string }>();
  // False once the stored value has changed elsewhere: then it replaces the typed text.
  const isOwn = typed !== undefined && (read(typed.text) === undefined || read(typed.text) === stored);
  const change = (text: string) => {
    const value = read(text);
    setTyped({ text });
    if (value !== undefined) onValue(value);
  };
  const isWrong = isOwn && read(typed.text) === undefined;
  useUnsaved(siteChanges, isWrong);
  return <TextField {...field} value={isOwn ? typed.text : write(stored)} onChange={(event) => change(event.target.value)} onBlur={() => !isWrong && setTyped(undefined)} error={isWrong ? wrong : error} />;
}
