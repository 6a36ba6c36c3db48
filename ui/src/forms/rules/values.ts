import type { FieldError, Resolver } from "react-hook-form";
import { completedUrl } from "./text";
import { fieldsOf, type FieldRule, type FormRule } from "./form-rules";
import { check, type Values, type FieldErrors, type Offered } from "./rules";

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
function isAnswered(field: FieldRule, value: unknown): boolean {
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

/** A resolver for react-hook-form with the server's rules. It checks after the promise that `rest` returns has settled. */
export function resolverOf(form: FormRule, offered: Offered | undefined, rest: () => Promise<void> | undefined): Resolver<Values> {
  return async (values) => {
    await rest();
    const checked = check(form, completedValues(form, values), offered);
    if (checked.ok) return { values, errors: {} };
    const errors: Record<string, FieldError> = {};
    for (const [name, message] of Object.entries(shownErrors(form, values, checked.errors))) errors[name] = { type: "rule", message };
    return { values: {}, errors };
  };
}

/**
 * The errors as the form shows them. A subcategory that cannot be chosen yet is not marked beside its category, and one
 * that has its category's message is named.
 */
export function shownErrors(form: FormRule, values: Values, errors: FieldErrors): FieldErrors {
  const shown = { ...errors };
  for (const { name, of } of fieldsOf(form)) {
    if (of === undefined || !(name in errors)) continue;
    const category = fieldsOf(form).find((field) => field.name === of);
    if (!values[of]) delete shown[name];
    else if (errors[name] === category?.message) shown[name] = `${errors[name]} and its subcategory`;
  }
  return shown;
}
