import type { ReactNode } from "react";

interface TextsProps {
  /** Of the control, or of the group. */
  id: string;
  /** Read by a screen reader together with the control. */
  hint?: ReactNode;
  error?: string;
}

interface FrameProps extends TextsProps {
  label: ReactNode;
  children: ReactNode;
}

/** Label, hint, error and control, in this order. Every field of the site uses it. */
export function FieldFrame({ label, children, ...texts }: FrameProps) {
  return <div className="field" data-invalid={texts.error ? true : undefined}><label htmlFor={texts.id} className="field-label">{label}</label><FieldTexts {...texts} />{children}</div>;
}

/** The same for a group of controls, which has a legend instead of a label. */
export function FieldGroup({ label, children, ...texts }: FrameProps) {
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
