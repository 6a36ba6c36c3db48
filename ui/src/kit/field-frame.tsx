import type { ReactNode } from "react";

interface FrameProps {
  /** Of the control, or of the group. */
  id: string;
  label: ReactNode;
  /** Read by a screen reader together with the control. */
  hint?: ReactNode;
  error?: string;
  /** A group of controls: it gets a legend instead of a label. */
  group?: boolean;
  children: ReactNode;
}

/** From top to bottom: the label, the hint, the error and the control. Every field of the site is made of it. */
export function FieldFrame({ id, label, hint, error, group = false, children }: FrameProps) {
  const invalid = error ? true : undefined;
  const body = (
    <>
      {hint && <p id={`${id}-hint`} className="field-hint">{hint}</p>}
      {error && <FieldError id={`${id}-error`} message={error} />}
      {children}
    </>
  );
  return group
    ? <fieldset id={id} className="field" data-invalid={invalid} aria-describedby={describedBy(id, hint, error)}><legend className="field-label">{label}</legend>{body}</fieldset>
    : <div className="field" data-invalid={invalid}><label htmlFor={id} className="field-label">{label}</label>{body}</div>;
}

/** The ids of the texts that belong to a control. */
export function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return <p id={id} className="field-error"><span className="hidden-text">Error: </span>{message}</p>;
}
