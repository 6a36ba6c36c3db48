import { useFormContext } from "react-hook-form";
import { FieldFrame, useFieldFrame } from "./field-frame";
import type { FieldRule } from "../rules/form-rules";

/** Up to this many options are all shown; more go into a list that opens. */
const mostShown = 3;

/** One of a list. */
export function ChoiceField({ field }: { field: FieldRule }) {
  return (field.options?.length ?? 0) <= mostShown ? <RadioField field={field} /> : <SelectField field={field} />;
}

function SelectField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame}>
      <div className="select">
        <select id={frame.inputId} className="input" autoComplete="off" {...frame.aria} {...register(field.name)}>
          {field.default === undefined && <option value="">Please select</option>}
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>{option.label}</option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
}

function RadioField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame} group>
      <div className="ticks ticks-row">
        {field.options?.map((option) => (
          <label key={option.value} className="tick">
            <input
              type="radio"
              value={option.value}
              defaultChecked={option.value === field.default}
              {...register(field.name)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}

/** Any of a list. */
export function ChoicesField({ field }: { field: FieldRule }) {
  const { register } = useFormContext();
  const frame = useFieldFrame(field);
  return (
    <FieldFrame field={field} frame={frame} group>
      <div className="ticks ticks-grid">
        {field.options?.map((option) => (
          <label key={option.value} className="tick">
            <input type="checkbox" value={option.value} aria-invalid={frame.aria["aria-invalid"]} {...register(field.name)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}
