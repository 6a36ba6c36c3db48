import { memo, useEffect, useRef, useState, type ReactNode } from "react";
import { useController, useWatch } from "react-hook-form";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField, TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { isTable, textOf, type ChoiceField, type Field, type GroupField, type NumberField, type Table, type TimeField, type Value } from "./field-types";
import { LinesView, ListView } from "./list-view";
import { usePage } from "./page-form";
import { isWithin, join, parentOf, valueAt, newTable, numberIn, numberText } from "./values";
import { PictureView } from "./picture-field";
import { withLabels } from "./places";

interface Props<Kind extends Field = Field> {
  field: Kind;
  /** Of the value itself. */
  path: string;
}

/** The control for one value, which may take the focus. Memoised: a page has hundreds, and a key typed in one renders only that one. */
const FieldView = memo(function FieldView({ field, path }: Props) {
  const { focused } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const isContainer = field.type === "list" || field.type === "group";
  useEffect(() => {
    if (!focused || (isContainer ? focused.path !== path : !isWithin(focused.path, path))) return;
    const row = place.current?.querySelector(`[data-path="${focused.path}"]`) ?? place.current;
    row?.querySelector<HTMLElement>("input, textarea, select, button:not(.site-handle)")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
  }, [focused, path, isContainer]);
  return <div ref={place}>{controlOf(field, path)}</div>;
});

function controlOf(field: Field, path: string): ReactNode {
  switch (field.type) {
    case "line": case "text": return <TextView field={field} path={path} />;
    case "number": case "dollars": case "percent": return <NumberView field={field} path={path} />;
    case "day": case "time": return <TimeView field={field} path={path} />;
    case "moment": return <MomentView field={field} path={path} />;
    case "flag": return <FlagView field={field} path={path} />;
    case "choice": return <ChoiceView field={field} path={path} />;
    case "picture": return <PictureView field={field} path={path} />;
    case "lines": return <LinesView field={field} path={path} />;
    case "group": return <GroupView field={field} path={path} />;
    case "list": return <ListView field={field} path={path} />;
  }
}

export const FieldViews = memo(function FieldViews({ fields, path }: { fields: readonly Field[]; path: string }) {
  return fields.map((field) => <FieldView key={field.name} field={field} path={join(path, field.name)} />);
});

export function useValue(path: string): [Value | undefined, (value: Value) => void] {
  const { field } = useController({ control: usePage().control, name: path });
  return [field.value as Value | undefined, field.onChange];
}

/** The checker's sentence for exactly this value. */
export function useProblem(path: string): string | undefined {
  const problem = usePage().problems[path];
  return problem && withLabels(problem, path);
}

/** What all controls have in common. */
function useFrame({ label, hint, optional }: Field, path: string) {
  return { label, hint, note: optional && "(optional)", error: useProblem(path) };
}

function TextView({ field, path }: Props<Extract<Field, { type: "line" | "text" }>>) {
  const [value, change] = useValue(path);
  const frame = useFrame(field, path);
  const text = textOf(value);
  const left = field.most - text.length;
  const control = { ...frame, hint: left < field.most / 10 ? <>{frame.hint} {left} characters left.</> : frame.hint, maxLength: field.most, value: text };
  return (
    <>
      {field.type === "line"
        ? <TextField {...control} inputMode={field.keyboard} onChange={(event) => change(event.target.value)} />
        : <LongTextField {...control} rows={field.most > 800 ? 6 : 3} onChange={(event) => change(event.target.value)} />}
      <ToConfirm path={path} label={field.label} value={text} />
    </>
  );
}

/** Marks a text that names a date of the previous edition, until it is changed or confirmed. */
export function ToConfirm({ path, label, value }: { path: string; label: string; value: string }) {
  const { base: { value: { unconfirmed, content } }, confirm } = usePage();
  if (!unconfirmed.includes(path) || textOf(valueAt(content, path)) !== value) return null;
  return (
    <p className="site-to-confirm">
      <span className="site-mark">To be confirmed</span>
      <Button look="text" onClick={() => confirm(path)}>It is right<span className="hidden-text">: {label}</span></Button>
    </p>
  );
}

const units = { number: "", dollars: " (US dollars)", percent: " (percent)" };

/** A text that is no number within the limits stays in the form, and is refused when it is saved. */
function NumberView({ field, path }: Props<NumberField>) {
  const [value, change] = useValue(path);
  const [typed, setTyped] = useState<string>();
  const type = (text: string) => {
    setTyped(text);
    change(numberIn(field, text) ?? text);
  };
  return (
    <TextField
      {...useFrame(field, path)} label={`${field.label}${units[field.type]}`} inputMode={field.type === "number" ? "numeric" : "decimal"}
      value={typed ?? numberText(field, value)} onChange={(event) => type(event.target.value)} onBlur={() => setTyped(undefined)}
    />
  );
}

function TimeView({ field, path }: Props<TimeField>) {
  const [value, change] = useValue(path);
  const frame = useFrame(field, path);
  return field.type === "day"
    ? <TextField {...frame} type="date" value={textOf(value)} onChange={(event) => change(event.target.value || (field.optional ? null : ""))} />
    : <TextField {...frame} type="time" value={textOf(value)} onChange={(event) => change(event.target.value.slice(0, 5))} />;
}

/** A day and, if it matters, a time of that day. */
function MomentView({ field, path }: Props<TimeField>) {
  const [value, change] = useValue(path);
  const [day = "", time = ""] = textOf(value).split(" ");
  const set = (nextDay: string, nextTime: string) => change(nextDay === "" ? null : nextTime === "" ? nextDay : `${nextDay} ${nextTime}`);
  return (
    <fieldset className="site-moment">
      <TextField {...useFrame(field, path)} type="date" value={day} onChange={(event) => set(event.target.value, time)} />
      <TextField label={<><span className="hidden-text">{field.label}: </span>Time</>} note="(optional)" type="time" value={time} disabled={day === ""} onChange={(event) => set(day, event.target.value.slice(0, 5))} />
    </fieldset>
  );
}

function FlagView({ field, path }: Props<Extract<Field, { type: "flag" }>>) {
  const [value, change] = useValue(path);
  const { hint, error } = useFrame(field, path);
  return (
    <div className="site-flag">
      {error && <p className="field-error">{error}</p>}
      <Checkbox label={<>{field.label}{hint && <span className="site-flag-hint"> {hint}</span>}</>} checked={(value ?? field.otherwise ?? false) === true} onChange={(event) => change(event.target.checked)} />
    </div>
  );
}

function ChoiceView({ field, path }: Props<ChoiceField>) {
  const { control } = usePage();
  const [stored, change] = useValue(path);
  // What options are made of.
  const [people, categories, awards, beside] = useWatch({ control, name: ["people", "categories", "schedule.awards", parentOf(path)] }) as (Value | undefined)[];
  const content = { people, categories, schedule: { awards } } as Table;
  const value = textOf(stored);
  const known = typeof field.options === "function" ? field.options(content, isTable(beside) ? beside : {}) : field.options;
  const options = known.some((option) => option.value === value) ? known : [{ value, label: value || "Choose…" }, ...known];
  const valueOf = (chosen: string) => (field.numeric ? Number(chosen) : chosen === "" && field.optional ? null : chosen);
  return <Select {...useFrame(field, path)} note={undefined} options={options} value={value} onChange={(event) => change(valueOf(event.target.value))} />;
}

function GroupView({ field, path }: Props<GroupField>) {
  const { control, getValues, setValue } = usePage();
  const isAbsent = !isTable(useWatch({ control, name: path }) as Value) && field.optional === true;
  const problem = useProblem(path);
  return (
    <fieldset className="site-group">
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{problem}</p>}
      {isAbsent
        ? <Button look="outline" onClick={() => setValue(path, newTable(field.fields, getValues()))}>Add</Button>
        : <FieldViews fields={field.fields} path={path} />}
      {field.optional && !isAbsent && <Button look="text" onClick={() => setValue(path, null)}>Remove</Button>}
    </fieldset>
  );
}
