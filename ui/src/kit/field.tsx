import { useId, type ComponentProps, type ReactNode } from "react";

export interface FieldProps {
  label: ReactNode;
  /** Stands after the label: "(optional)". */
  note?: string;
  /** Read by a screen reader together with the control. */
  hint?: ReactNode;
  error?: string;
}

/** What the control takes over to belong to its label, hint and error. */
interface ControlProps {
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

interface TextsProps {
  /** Of the control, or of the group. */
  id: string;
  /** Read by a screen reader together with the control. */
  hint?: ReactNode;
  error?: string;
}

interface FieldFrameProps extends TextsProps {
  label: ReactNode;
  children: ReactNode;
}

/** Label, hint, error and control, in this order. Every field of the site uses it. */
export function FieldFrame({ label, children, ...texts }: FieldFrameProps) {
  return <div className="field" data-invalid={texts.error ? true : undefined}><label htmlFor={texts.id} className="field-label">{label}</label><FieldTexts {...texts} />{children}</div>;
}

/** The same for a group of controls, which has a legend instead of a label. */
export function FieldGroup({ label, children, ...texts }: FieldFrameProps) {
  return (
    <fieldset id={texts.id} className="field" data-invalid={texts.error ? true : undefined} aria-describedby={describedBy(texts)}>
      <legend className="field-label">{label}</legend><FieldTexts {...texts} />{children}
    </fieldset>
  );
}

/** The hint and the error, where there are any. */
export function FieldTexts({ id, hint, error }: TextsProps) {
  return <>{hint && <p id={`${id}-hint`} className="field-hint">{hint}</p>}{error && <p id={`${id}-error`} className="field-error"><span className="hidden-text">Error: </span>{error}</p>}</>;
}

/** The ids of the texts that belong to a control. */
export function describedBy({ id, hint, error }: TextsProps): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
}
