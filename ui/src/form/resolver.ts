import type { FieldError, Resolver } from "react-hook-form";
import type { FormRule } from "./form-rules";
import { check, type Offered, type Values } from "./rules";
import { completedValues } from "./values";

/** Lets react-hook-form ask the rules that the server asks, once what `rest` gives is over. */
export function resolverOf(form: FormRule, offered: Offered | undefined, rest: () => Promise<void> | undefined): Resolver<Values> {
  return async (values) => {
    await rest();
    const checked = check(form.kind, completedValues(form, values), offered);
    if (checked.ok) return { values, errors: {} };
    const errors: Record<string, FieldError> = {};
    for (const [name, message] of Object.entries(checked.errors)) errors[name] = { type: "rule", message };
    return { values: {}, errors };
  };
}
