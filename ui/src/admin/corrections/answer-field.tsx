import type { FieldLabels } from "../shell/form-labels";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField, TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import type { Answer } from "./correction-schema";

interface Props {
  field: FieldLabels;
  value: Answer;
  error: string | undefined;
  onChange: (value: Answer) => void;
}

const yesOrNo = [{ value: "yes", label: "Yes" }, { value: "no", label: "No" }];

/** The control for one answer, by its field's type. The server validates the value by the form's rules. */
export function AnswerField({ field: { label, type, options }, value, error, onChange }: Props) {
  const text = value === null ? "" : String(value);
  if (type === "flag") {
    return <Select label={label} error={error} options={yesOrNo} value={value === true ? "yes" : "no"} onChange={(event) => onChange(event.target.value === "yes")} />;
  }
  if (type === "choices") {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset className="field">
        <legend className="field-label">{label}</legend>
        {error && <p className="field-error" role="status">{error}</p>}
        {options?.map((option) => (
          <Checkbox key={option.value} label={option.label} checked={chosen.includes(option.value)} onChange={(event) => onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))} />
        ))}
      </fieldset>
    );
  }
  if (options && options.length > 0) {
    const known = options.some((option) => option.value === text);
    const shown = known ? options : [{ value: text, label: text || "Not answered" }, ...options];
    return <Select label={label} error={error} options={shown} value={text} onChange={(event) => onChange(event.target.value || null)} />;
  }
  if (type === "count") {
    return <TextField label={label} error={error} type="number" min={0} value={text} onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))} />;
  }
  const change = (typed: string) => onChange(typed === "" ? null : typed);
  return type === "longText"
    ? <LongTextField label={label} error={error} rows={5} value={text} onChange={(event) => change(event.target.value)} />
    : <TextField label={label} error={error} value={text} spellCheck={false} onChange={(event) => change(event.target.value)} />;
}
