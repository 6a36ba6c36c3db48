import { memo, useEffect, useRef, type ReactNode } from "react";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField, TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { blankOf } from "./blank";
import { isTable, textOf, type AmountsField, type ChoiceField, type Field, type GroupField, type NumberField, type Table, type TimeField } from "./fields/field";
import { LinesView } from "./lines-view";
import { ListView } from "./list-view";
import { join, parentOf } from "./paths";
import { PictureView } from "./picture-view";
import { ToConfirm } from "./to-confirm";
import { TypedInput } from "./typed-input";
import { draftStore, useOpenedFor, useProblem, useValue } from "./use-draft";
import { basisPointsIn, centsIn, dollarsText, integerIn, percentText, plainText } from "./value-texts";
import { withLabels } from "./words";

interface Props {
  field: Field;
  /** Of the value itself. */
  path: string;
}

/**
 * The control for one value. The one that the page was opened for takes the focus. A key typed in one field must not
 * render the others again: a page has hundreds.
 */
export const FieldView = memo(function FieldView({ field, path }: Props) {
  const isWanted = useOpenedFor() === path;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    const control = place.current?.querySelector<HTMLElement>("input, textarea, select, button");
    control?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: "center" });
  }, [isWanted]);
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
    case "group": return <GroupView field={field} path={path} />;
    case "list": return <ListView field={field} path={path} />;
    case "lines": return <LinesView field={field} path={path} />;
    case "amounts": return <AmountsView field={field} path={path} />;
  }
}

export const FieldViews = memo(function FieldViews({ fields, path }: { fields: readonly Field[]; path: string }) {
  return fields.map((field) => <FieldView key={field.name} field={field} path={join(path, field.name)} />);
});

/** What all controls have in common. */
function useFrame({ label, hint, optional }: Field, path: string) {
  const problem = useProblem(path);
  return { label, hint, note: optional && "(optional)", error: problem && withLabels(problem, path) };
}

function TextView({ field, path }: { field: Extract<Field, { type: "line" | "text" }>; path: string }) {
  const value = textOf(useValue(path));
  const frame = useFrame(field, path);
  const left = field.most - value.length;
  const hint = left < field.most / 10 ? <>{frame.hint} {left} characters left.</> : frame.hint;
  const change = (typed: string) => draftStore.edit({ path, value: typed });
  return field.type === "line"
    ? <><TextField {...frame} hint={hint} maxLength={field.most} inputMode={field.keyboard} value={value} onChange={(event) => change(event.target.value)} /><ToConfirm path={path} label={field.label} /></>
    : <><LongTextField {...frame} hint={hint} maxLength={field.most} rows={field.most > 800 ? 6 : 3} value={value} onChange={(event) => change(event.target.value)} /><ToConfirm path={path} label={field.label} /></>;
}

const numberTexts = {
  number: { write: plainText, read: integerIn, prefix: "" },
  dollars: { write: dollarsText, read: centsIn, prefix: "$" },
  percent: { write: percentText, read: basisPointsIn, prefix: "" },
} as const;

function NumberView({ field, path, label = field.label }: { field: NumberField; path: string; label?: string }) {
  const value = useValue(path);
  const { write, read, prefix } = numberTexts[field.type];
  const unit = field.type === "dollars" ? " (US dollars)" : field.type === "percent" ? " (percent)" : "";
  const wrong = `Please enter ${field.type === "number" ? "a whole number" : field.type === "percent" ? "a percentage" : "an amount"} from ${prefix}${write(field.least)} to ${prefix}${write(field.most)}.`;
  return (
    <TypedInput
      {...useFrame(field, path)} label={`${label}${unit}`} inputMode={field.type === "number" ? "numeric" : "decimal"} stored={value} write={write} wrong={wrong}
      read={(typed) => read(typed, field.least, field.most)} onValue={(next) => draftStore.edit({ path, value: next })}
    />
  );
}

function AmountsView({ field, path }: { field: AmountsField; path: string }) {
  const problem = useProblem(path);
  return (
    <fieldset className="site-group">
      <legend>{field.label}</legend>
      {problem && <p className="field-error">{withLabels(problem, path)}</p>}
      {field.labels.map((label, index) => <NumberView key={label} field={{ type: "dollars", name: "", label, least: field.least, most: field.most }} path={`${path}[${index}]`} />)}
    </fieldset>
  );
}

const readDay = (optional: boolean) => (typed: string) => (/^\d{4}-\d\d-\d\d$/.test(typed) ? typed : typed === "" && optional ? null : undefined);
const readTime = (typed: string) => (/^\d\d:\d\d/.test(typed) ? typed.slice(0, 5) : undefined);

function TimeView({ field, path }: { field: TimeField; path: string }) {
  const value = useValue(path);
  const isDay = field.type === "day";
  return (
    <TypedInput
      {...useFrame(field, path)} type={field.type === "day" ? "date" : "time"} stored={value} write={plainText} wrong={isDay ? "Please choose a day." : "Please choose a time."}
      read={isDay ? readDay(field.optional === true) : readTime} onValue={(next) => draftStore.edit({ path, value: next })}
    />
  );
}

/** A day and, if it matters, a time of that day. */
function MomentView({ field, path }: { field: TimeField; path: string }) {
  const value = textOf(useValue(path));
  const [day = "", time = ""] = value.split(" ");
  const frame = useFrame(field, path);
  const change = (nextDay: string, nextTime: string) => draftStore.edit({ path, value: nextDay === "" ? null : nextTime === "" ? nextDay : `${nextDay} ${nextTime}` });
  return (
    <fieldset className="site-moment">
      <TextField {...frame} type="date" value={day} onChange={(event) => change(event.target.value, time)} />
      <TextField label={<><span className="hidden-text">{field.label}: </span>Time</>} note="(optional)" type="time" value={time} disabled={day === ""} onChange={(event) => change(day, event.target.value.slice(0, 5))} />
    </fieldset>
  );
}

function FlagView({ field, path }: { field: Extract<Field, { type: "flag" }>; path: string }) {
  const value = useValue(path) ?? field.otherwise ?? false;
  const { hint, error } = useFrame(field, path);
  return (
    <div className="site-flag">
      {error && <p className="field-error">{error}</p>}
      <Checkbox label={<>{field.label}{hint && <span className="site-flag-hint"> {hint}</span>}</>} checked={value === true} onChange={(event) => draftStore.edit({ path, value: event.target.checked })} />
    </div>
  );
}

function ChoiceView({ field, path }: { field: ChoiceField; path: string }) {
  // What options are made of.
  const of = { people: useValue("people"), categories: useValue("categories"), schedule: { awards: useValue("schedule.awards") } } as Table;
  const table = useValue(parentOf(path));
  const value = textOf(useValue(path));
  const frame = useFrame(field, path);
  const known = typeof field.options === "function" ? field.options(of, isTable(table) ? table : {}) : field.options;
  const options = known.some((option) => option.value === value) ? known : [{ value, label: value || "Choose…" }, ...known];
  const valueOf = (chosen: string) => (field.numeric ? Number(chosen) : chosen === "" && field.optional ? null : chosen);
  return <Select {...frame} note={undefined} options={options} value={value} onChange={(event) => draftStore.edit({ path, value: valueOf(event.target.value) })} />;
}

function GroupView({ field, path }: { field: GroupField; path: string }) {
  const value = useValue(path);
  const problem = useProblem(path);
  const isAbsent = field.optional === true && !isTable(value);
  return (
    <fieldset className="site-group">
      <legend>{field.label}</legend>
      {field.hint && <p className="field-hint">{field.hint}</p>}
      {problem && <p className="field-error">{withLabels(problem, path)}</p>}
      {isAbsent
        ? <Button look="outline" onClick={() => draftStore.edit({ path, value: blankOf(field.fields, draftStore.content) })}>Add</Button>
        : <FieldViews fields={field.fields} path={path} />}
      {field.optional && !isAbsent && <Button look="text" onClick={() => draftStore.edit({ path, value: null })}>Remove</Button>}
    </fieldset>
  );
}
