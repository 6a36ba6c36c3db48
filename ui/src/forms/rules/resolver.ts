import type { FieldError, Resolver } from "react-hook-form";
import { fieldsOf, type FormRule } from "./form-rules";
import { check, type FieldErrors, type Offered, type Values } from "./rules";
import { completedValues } from "./values";

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
