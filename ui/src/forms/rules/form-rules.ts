import { directionMarks, hiddenCharacters, invisibleMarks, messages } from "../../../../src/forms/rules.json";
import type { Option } from "../../kit/select";
import type { Kind } from "../../lib/answer-types";

export type FieldType =
  | "text"
  | "longText"
  | "email"
  | "phone"
  | "url"
  | "handle"
  | "choice"
  | "choices"
  | "consent"
  | "flag"
  | "count";

/** One field, as `src/forms/rules.json` writes it for both the server and the pages. */
export interface FieldRule {
  name: string;
  type: FieldType;
  label: string;
  /** Whether an erasure blanks it; only the server uses it. */
  personal: boolean;
  required?: boolean;
  min?: number;
  max?: number;
  message?: string;
  default?: string | number;
  options?: Option[];
  /** The options come from the event's content. */
  optionsFrom?: "categories" | "subcategories";
  /** For subcategories: the field that holds their category. */
  of?: string;
  requiredFrom?: { field: string; atLeast: number };
  hint?: string;
  autocomplete?: string;
  inputMode?: "numeric";
}

export interface SectionRule {
  title: string;
  fields: FieldRule[];
}

export interface FormRule {
  kind: Kind;
  name: string;
  sections: SectionRule[];
}

export const commonMessages = messages;

/** Ranges of code points in hexadecimal that no text may have, such as `2060-206F`. */
export const hiddenRanges = hiddenCharacters;

/** The ranges of invisible characters, which are dropped at both ends of a text and everywhere in addresses and phone numbers. */
export const invisibleRanges = invisibleMarks;

/** The ranges of direction marks, which people type with right-to-left scripts. They are dropped everywhere. */
export const directionRanges = directionMarks;

export function fieldsOf(form: FormRule): FieldRule[] {
  return form.sections.flatMap((section) => section.fields);
}

export function fieldOf(form: FormRule, name: string): FieldRule {
  const field = fieldsOf(form).find((candidate) => candidate.name === name);
  if (!field) throw new Error(`the form of ${form.kind} has no field ${name}`);
  return field;
}
