import type { ComponentProps } from "react";

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
