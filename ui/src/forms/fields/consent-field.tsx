import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { RequiredMark, useFieldFrame } from "./field-frame";
import { Agreement } from "../../kit/agreement";
import { Checkbox } from "../../kit/checkbox";
import { Dialog } from "../../kit/dialog";
import { FieldTexts } from "../../kit/field-frame";
import type { FieldRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";

/** A checkbox: consent to a text, with a button that shows the text, or a plain wish. */
export function ConsentField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const { documents } = useFormPlace();
  const frame = useFieldFrame(field);
  const [reading, setReading] = useState(false);
  const document = documents[field.name];
  return (
    <div className="field field-consent" data-invalid={frame.error ? true : undefined}>
      <FieldTexts id={frame.inputId} error={frame.error} />
      <Checkbox id={frame.inputId} label={<>{field.label}<RequiredMark field={field} /></>} {...frame.aria} {...register(field.name)} />
      {field.hint && <p id={frame.hintId} className="field-hint">{field.hint}</p>}
      {document && (
        <button type="button" className="read-link" aria-haspopup="dialog" onClick={() => setReading(true)}>
          Read the {document.title}
        </button>
      )}
      {document && reading && (
        <Dialog title={document.title} onClose={() => setReading(false)}>
          <Agreement text={document} />
        </Dialog>
      )}
    </div>
  );
}
