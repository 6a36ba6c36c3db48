import type { ReactNode } from "react";
import { useFormState } from "react-hook-form";
import type { FieldRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";

/** The ids and ARIA attributes that connect a field's control to its label, hint and error. */
export function useFieldFrame(field: FieldRule) {
  const { id } = useFormPlace();
  const { errors } = useFormState({ name: field.name });
  const error = errors[field.name]?.message as string | undefined;
  const inputId = `${id}-${field.name}`;
  const describedBy = [field.hint && `${inputId}-hint`, error && `${inputId}-error`].filter(Boolean).join(" ");
  return {
    error,
    inputId,
    hintId: `${inputId}-hint`,
    errorId: `${inputId}-error`,
    describedBy: describedBy || undefined,
    /** The ARIA attributes of every control of the field. */
    aria: {
      "aria-describedby": describedBy || undefined,
      "aria-invalid": error ? (true as const) : undefined,
      "aria-required": field.required || undefined,
    },
  };
}

interface Props {
  field: FieldRule;
  frame: ReturnType<typeof useFieldFrame>;
  /** A group of controls: it gets a legend instead of a label. */
  group?: boolean;
  children: ReactNode;
}

/** From top to bottom: the label, the hint, the error and the control. */
export function FieldFrame({ field, frame, group = false, children }: Props) {
  const { error, inputId, hintId, errorId, describedBy } = frame;
  const label = <>{field.label}<RequiredMark field={field} group={group} /></>;
  const body = (
    <>
      {field.hint && <p id={hintId} className="field-hint">{field.hint}</p>}
      {error && <FieldError id={errorId} message={error} />}
      {children}
    </>
  );
  if (group) {
    return (
      <fieldset id={inputId} className="field" data-invalid={error ? true : undefined} aria-describedby={describedBy}>
        <legend className="field-label">{label}</legend>
        {body}
      </fieldset>
    );
  }
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <label htmlFor={inputId} className="field-label">{label}</label>
      {body}
    </div>
  );
}

export function FieldError({ id, message }: { id: string; message: string }) {
  return (
    <p id={id} className="field-error">
      <span className="hidden-text">Error: </span>
      {message}
    </p>
  );
}

/** A screen reader announces a single control as required; for a group, hidden text does it. */
export function RequiredMark({ field, group = false }: { field: FieldRule; group?: boolean }) {
  if (field.required && field.default === undefined) {
    return (
      <>
        <span className="required-mark" aria-hidden="true">*</span>
        {group && <span className="hidden-text"> (required)</span>}
      </>
    );
  }
  if (field.type === "flag" || field.default !== undefined) return null;
  return <span className="optional-mark"> (optional)</span>;
}
