import { completedUrl } from "./addresses";
import { fieldsOf, type FieldRule, type FormRule } from "./form-rules";
import type { Values } from "./rules";

/** The values to check and send: web addresses are completed, and names that are not fields of the form are left out. */
export function completedValues(form: FormRule, values: Values): Values {
  return Object.fromEntries(fieldsOf(form).map((field) => [field.name, completed(field, values[field.name])]));
}

/** The values to keep in a draft: all except consents, which must be given when the form is sent. */
export function draftValues(form: FormRule, values: Values): Values {
  return Object.fromEntries(
    fieldsOf(form)
      .filter((field) => field.type !== "consent" && isAnswered(field, values[field.name]))
      .map((field) => [field.name, values[field.name]]),
  );
}

/** Whether the field has been answered; a default value does not count. */
export function isAnswered(field: FieldRule, value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return value !== field.default;
}

function completed(field: FieldRule, value: unknown): unknown {
  if (field.type === "url" && typeof value === "string") return completedUrl(value);
  // A group of checkboxes has no value until one of them is changed.
  if (field.type === "choices") return Array.isArray(value) ? value : [];
  return value;
}
