import { useId, type ComponentProps, type ReactNode } from "react";
import { describedBy, FieldFrame } from "./field-frame";

export interface FieldProps {
  label: ReactNode;
  /** Stands after the label: "(optional)". */
  note?: string;
  /** Read by a screen reader together with the control. */
  hint?: ReactNode;
  error?: string;
}

/** What the control takes over to belong to its label, hint and error. */
export interface ControlProps {
  id: string;
  className: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FrameProps extends FieldProps {
  children: (control: ControlProps) => ReactNode;
}

/** Label, hint and error around one control. */
export function Field({ label, note, hint, error, children }: FrameProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={<>{label}{note && <span className="optional-mark"> {note}</span>}</>} hint={hint} error={error}>
      {children({ id, className: "input", "aria-describedby": describedBy({ id, hint, error }), "aria-invalid": error ? true : undefined })}
    </FieldFrame>
  );
}

type TextFieldProps = FieldProps & Omit<ComponentProps<"input">, "id" | "className">;

export function TextField({ label, note, hint, error, ...input }: TextFieldProps) {
  return <Field label={label} note={note} hint={hint} error={error}>{(control) => <input autoComplete="off" {...input} {...control} />}</Field>;
}

type LongTextFieldProps = FieldProps & Omit<ComponentProps<"textarea">, "id" | "className">;

export function LongTextField({ label, note, hint, error, ...textarea }: LongTextFieldProps) {
  return <Field label={label} note={note} hint={hint} error={error}>{(control) => <textarea autoComplete="off" {...textarea} {...control} />}</Field>;
}
