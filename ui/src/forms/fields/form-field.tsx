import { useFormContext } from "react-hook-form";
import { useState } from "react";
import { Checkbox, Radio } from "../../kit/checkbox";
import { Options, SelectBox } from "../../kit/select";
import { Agreement } from "../../kit/paragraphs";
import { Dialog } from "../../kit/dialog";
import { FieldTexts } from "../../kit/field";
import type { FieldRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";
import { LongTextField, TextField } from "./text-field";
import { FieldFrame, useFieldFrame, RequiredMark } from "./field-frame";

/** The control that a field's type asks for. */
export function FormField({ field }: { field: FieldRule }) {
  switch (field.type) {
    case "longText":
      return <LongTextField field={field} />;
    case "choice":
      return <ChoiceField field={field} />;
    case "choices":
      return <ChoicesField field={field} />;
    case "consent":
    case "flag":
      return <ConsentField field={field} />;
    default:
      return <TextField field={field} />;
  }
}

/** With more options than this, the field is a list that opens. */
const mostShown = 3;

/** A choice of one option. */
function ChoiceField({ field }: { field: FieldRule }) {
  return (field.options?.length ?? 0) <= mostShown ? <RadioField field={field} /> : <SelectField field={field} />;
}

function SelectField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame}>
      <SelectBox id={frame.inputId} {...frame.aria} {...register(field.name)}>
        {field.default === undefined && <option value="">Please select</option>}
        <Options options={field.options ?? []} />
      </SelectBox>
    </FieldFrame>
  );
}

function RadioField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame} group>
      <div className="ticks ticks-row">
        {field.options?.map(({ value, label }) => <Radio key={value} label={label} value={value} defaultChecked={value === field.default} {...register(field.name)} />)}
      </div>
    </FieldFrame>
  );
}

/** A choice of any number of options. */
function ChoicesField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame} group>
      <div className="ticks ticks-grid">
        {field.options?.map(({ value, label }) => <Checkbox key={value} label={label} value={value} aria-invalid={frame.aria["aria-invalid"]} {...register(field.name)} />)}
      </div>
    </FieldFrame>
  );
}

/** A checkbox: consent to a text, with a button that shows the text, or a plain wish. */
function ConsentField({ field }: { field: FieldRule }) {
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
