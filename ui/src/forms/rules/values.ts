import { completedUrl } from "./addresses";
import { fieldsOf, type FieldRule, type FormRule } from "./form-rules";
import type { Values } from "./rules";

/** The values as they are checked and sent: web addresses completed, nothing that the form doesn't know. */
export function completedValues(form: FormRule, values: Values): Values {
  return Object.fromEntries(fieldsOf(form).map((field) => [field.name, completed(field, values[field.name])]));
}

/** What a draft keeps: everything typed or chosen. Agreement to a text must be given when it is sent. */
export function draftValues(form: FormRule, values: Values): Values {
  return Object.fromEntries(
    fieldsOf(form)
      .filter((field) => field.type !== "consent" && isAnswered(field, values[field.name]))
      .map((field) => [field.name, values[field.name]]),
  );
}

/** Whether somebody has put something in; a default is nobody's answer. */
export function isAnswered(field: FieldRule, value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return value !== field.default;
}

function completed(field: FieldRule, value: unknown): unknown {
  if (field.type === "url" && typeof value === "string") return completedUrl(value);
  // A group of checkboxes none of which was ever touched has no value yet.
  if (field.type === "choices") return Array.isArray(value) ? value : [];
  return value;
}
