import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field";

export interface Option {
  value: string;
  label: string;
}

export interface OptionGroup {
  label: string;
  options: readonly Option[];
}

type SelectProps = FieldProps & Omit<ComponentProps<"select">, "id" | "className" | "children"> & { options: readonly (Option | OptionGroup)[] };

/** One of a list that opens. */
export function Select({ label, note, hint, error, options, ...select }: SelectProps) {
  return (
    <Field label={label} note={note} hint={hint} error={error}>
      {(control) => (
        <div className="select">
          <select autoComplete="off" {...select} {...control}>
            {options.map((option) => "options" in option
              ? <optgroup key={option.label} label={option.label}><Options options={option.options} /></optgroup>
              : <Options key={option.value} options={[option]} />)}
          </select>
        </div>
      )}
    </Field>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, label }) => <option key={value} value={value}>{label}</option>);
}

/** `{ paid: "Paid" }` as options, in the order of the object. */
export function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
