import type { ReactNode } from "react";
import { useFormState } from "react-hook-form";
import { describedBy, FieldFrame as Frame, FieldGroup } from "../../kit/field";
import type { FieldRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";

/** The ids and ARIA attributes that connect a field's control to its label, hint and error. */
export function useFieldFrame(field: FieldRule) {
  const { id } = useFormPlace();
  const { errors } = useFormState({ name: field.name });
  const error = errors[field.name]?.message as string | undefined;
  const inputId = `${id}-${field.name}`;
  const texts = describedBy({ id: inputId, hint: field.hint, error });
  return {
    error,
    inputId,
    hintId: `${inputId}-hint`,
    describedBy: texts,
    /** The ARIA attributes of every control of the field. */
    aria: {
      "aria-describedby": texts,
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

export function FieldFrame({ field, frame: { error, inputId }, group = false, children }: Props) {
  const Kind = group ? FieldGroup : Frame;
  return <Kind id={inputId} label={<>{field.label}<RequiredMark field={field} group={group} /></>} hint={field.hint} error={error}>{children}</Kind>;
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
