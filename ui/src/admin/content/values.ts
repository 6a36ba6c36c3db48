import { centsOf } from "../shell/numbers";
import { isTable, tablesOf, textOf, type Field, type NumberField, type Part, type Table, type Value } from "./field-types";

/** A number as people type it. */
export function numberText({ type }: NumberField, value: Value | undefined): string {
  if (typeof value !== "number") return textOf(value);
  return type === "dollars" ? (value / 100).toFixed(2) : String(type === "percent" ? value / 100 : value);
}

/** "449" and "$449.50" as cents, "6.25 %" as 625; undefined if it is no such number or not within the limits. */
export function numberIn({ type, least, most }: NumberField, typed: string): number | undefined {
  const text = typed.trim();
  const percent = text.replace(/[%\s]/g, "");
  const number = type === "dollars" ? centsOf(text)
    : type === "percent" ? (/^\d+(\.\d{1,2})?$/.test(percent) ? Math.round(Number(percent) * 100) : undefined)
    : (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
  return number !== undefined && number >= least && number <= most ? number : undefined;
}

/** The sentence for a value that cannot be sent as it was typed; undefined for one that can. */
function errorIn(field: Field, value: Value | undefined): string | undefined {
  switch (field.type) {
    case "number": case "dollars": case "percent": {
      if (typeof value === "number") return undefined;
      const prefix = field.type === "dollars" ? "$" : "";
      const noun = { number: "a whole number", dollars: "an amount", percent: "a percentage" }[field.type];
      return `Please enter ${noun} from ${prefix}${numberText(field, field.least)} to ${prefix}${numberText(field, field.most)}.`;
    }
    case "day": return textOf(value) || field.optional ? undefined : "Please choose a day.";
    case "time": return textOf(value) ? undefined : "Please choose a time.";
    default: return undefined;
  }
}

/** The errors of a page's values by path. The server checks all other rules. */
export function findInvalid({ sections }: Part, values: Table): Record<string, string> {
  const found: Record<string, string> = {};
  const check = (fields: readonly Field[], outer: string, table: Value) => fields.forEach((field) => {
    const path = join(outer, field.name);
    const value = valueAt(table, field.name);
    if (field.type === "group" && value) check(field.fields, path, value);
    else if (field.type === "list") tablesOf(value).forEach((member, index) => check(field.of, join(path, index), member));
    else {
      const error = errorIn(field, value);
      if (error) found[path] = error;
    }
  });
  for (const { path, fields } of sections) {
    const table = valueAt(values, path);
    if (isTable(table)) check(fields, path, table);
  }
  return found;
}

/** A new table: required values are empty, and optional ones are absent. */
export function newTable(fields: readonly Field[], content: Table): Table {
  const table: Table = {};
  for (const field of fields) {
    const value = newValue(field, content, table);
    const steps = field.name.split(".");
    const last = steps.pop() as string;
    if (value !== null) (steps.reduce<Table>((inner, step) => (inner[step] ??= {}) as Table, table))[last] = value;
  }
  return table;
}

function newValue(field: Field, content: Table, beside: Table): Value {
  switch (field.type) {
    case "line": case "text": case "picture": return "";
    case "number": case "dollars": case "percent": return field.least;
    // The event's first day.
    case "day": return field.optional ? null : textOf(valueAt(content, "event.firstDay"));
    case "time": return "09:00";
    case "moment": return null;
    case "flag": return field.otherwise ?? false;
    case "choice": {
      const options = typeof field.options === "function" ? field.options(content, beside) : field.options;
      const value = options[0]?.value ?? "";
      return field.numeric ? Number(value) : value === "" && field.optional ? null : value;
    }
    case "group": return field.optional ? null : newTable(field.fields, content);
    case "lines": return Array.from({ length: field.least }, () => "");
    case "list": return Array.from({ length: field.least }, () => newTable(field.of, content));
  }
}

const minutesOf = (time: Value | undefined) => Number(textOf(time).slice(0, 2)) * 60 + Number(textOf(time).slice(3, 5));
const timeOf = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/**
 * Moves a session and recomputes the times between its old and its new place: each session keeps its length, each pause
 * keeps its position, and the first of them starts when the first one started before.
 */
export function moveSession(sessions: readonly Table[], from: number, to: number): Table[] {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  let starts = minutesOf(sessions[first]?.start);
  return moved(sessions, from, to).map((session, index) => {
    if (index < first || index > last) return session;
    const ends = starts + minutesOf(session.end) - minutesOf(session.start);
    const result = { ...session, start: timeOf(starts), end: timeOf(ends) };
    if (index < last) starts = ends + minutesOf(sessions[index + 1]?.start) - minutesOf(sessions[index]?.end);
    return result;
  });
}

export function moved<Member>(list: readonly Member[], from: number, to: number): Member[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), list[from] as Member, ...rest.slice(to)];
}

/** In these pages a path has dots only, as react-hook-form needs it; the API writes `faq.sections[0].title`. */
export const dotted = (path: string) => path.replace(/\[(\d+)\]/g, ".$1");
export const bracketed = (path: string) => path.replace(/\.(\d+)(?=\.|$)/g, "[$1]");

/** The path of a field in a table; that of the content itself is "". */
export function join(path: string, name: string | number): string {
  return path === "" ? String(name) : name === "" ? path : `${path}.${name}`;
}

/** The path of the table or list that contains a value. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

/** Whether `inner` is the value at `outer` or inside it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || outer === "" || inner.startsWith(`${outer}.`);
}

export function valueAt(content: Value | undefined, path: string): Value | undefined {
  return path.split(".").filter(Boolean).reduce<Value | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isTable(value) ? value[step] : undefined;
  }, content);
}

/** Absent and null are the same. */
export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export interface Change {
  path: string;
  value: Value;
}

/** What has to be saved of the values at these paths. A list is saved as a whole. */
export function changesOf(paths: readonly string[], before: Table, after: Table): Change[] {
  return paths.filter((path) => !isSame(valueAt(before, path), valueAt(after, path))).map((path) => ({ path, value: valueAt(after, path) ?? null }));
}
