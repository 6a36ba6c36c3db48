import type { UseFormReturn } from "react-hook-form";
import { ApiError } from "../../lib/api-error";
import { fieldsOf, type FormRule } from "../rules/form-rules";
import type { Values } from "../rules/rules";

/** Shows what the server refuses at the fields that it names; false when it named none of this form. */
export function showAtFields(form: FormRule, methods: UseFormReturn<Values>, error: unknown): boolean {
  const errors = error instanceof ApiError ? error.problem.errors ?? {} : {};
  const known = fieldsOf(form).filter((field) => errors[field.name]);
  for (const { name } of known) methods.setError(name, { type: "server", message: errors[name] });
  return known.length > 0;
}
