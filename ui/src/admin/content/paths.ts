import { isTable, type Table, type Value } from "./field-types";

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
