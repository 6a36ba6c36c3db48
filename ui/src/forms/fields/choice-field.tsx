import { useFormContext } from "react-hook-form";
import { FieldFrame, useFieldFrame } from "./field-frame";
import type { FieldRule } from "../rules/form-rules";
import { Checkbox, Radio } from "../../kit/checkbox";
import { Options, SelectBox } from "../../kit/select-box";

/** With more options than this, the field is a list that opens. */
const mostShown = 3;

/** A choice of one option. */
export function ChoiceField({ field }: { field: FieldRule }) {
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
export function ChoicesField({ field }: { field: FieldRule }) {
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
