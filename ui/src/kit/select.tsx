import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field";
import { Options, SelectBox, type Option } from "./select-box";

export type { Option };

export interface OptionGroup {
  label: string;
  options: readonly Option[];
}

type SelectProps = FieldProps & Omit<ComponentProps<"select">, "id" | "className" | "children"> & { options: readonly (Option | OptionGroup)[] };

/** A field to choose one option from a list that opens. */
export function Select({ label, note, hint, error, options, ...select }: SelectProps) {
  return (
    <Field label={label} note={note} hint={hint} error={error}>
      {(control) => (
        <SelectBox {...select} {...control}>
          {options.map((option) => "options" in option
            ? <optgroup key={option.label} label={option.label}><Options options={option.options} /></optgroup>
            : <Options key={option.value} options={[option]} />)}
        </SelectBox>
      )}
    </Field>
  );
}

/** `{ paid: "Paid" }` as options, in the order of the object. */
export function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
