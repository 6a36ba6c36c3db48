import { ChoiceField, ChoicesField } from "./choice-field";
import { ConsentField } from "./consent-field";
import type { FieldRule } from "../rules/form-rules";
import { LongTextField, TextField } from "./text-field";

/** The control that a field's type asks for. */
export function FormField({ field }: { field: FieldRule }) {
  switch (field.type) {
    case "longText":
      return <LongTextField field={field} />;
    case "choice":
      return <ChoiceField field={field} />;
    case "choices":
      return <ChoicesField field={field} />;
    case "consent":
    case "flag":
      return <ConsentField field={field} />;
    default:
      return <TextField field={field} />;
  }
}
