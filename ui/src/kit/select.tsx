import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field";

interface OptionGroup {
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

export interface Option {
  value: string;
  label: string;
}

/** A `select` element with its arrow. */
export function SelectBox(select: ComponentProps<"select">) {
  return <div className="select"><select className="input" autoComplete="off" {...select} /></div>;
}

export function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, label }) => <option key={value} value={value}>{label}</option>);
}
