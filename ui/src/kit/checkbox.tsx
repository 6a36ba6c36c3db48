import type { ComponentProps, ReactNode } from "react";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className"> & { label: ReactNode };

export function Checkbox({ label, ...input }: CheckboxProps) {
  return <label className="tick"><input {...input} type="checkbox" /><span>{label}</span></label>;
}

/** One of several radio buttons of a group. */
export function Radio({ label, ...input }: CheckboxProps) {
  return <label className="tick"><input {...input} type="radio" /><span>{label}</span></label>;
}

/** A switch: a setting that takes effect at once, or an optional part of an action. */
export function Switch({ label, ...input }: CheckboxProps) {
  return <label className="switch"><input {...input} type="checkbox" role="switch" /><span>{label}</span></label>;
}
