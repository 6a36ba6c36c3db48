import { isTable, type Table, type Value } from "./fields/field";

/** A change of the draft, as the API takes it. */
export type Change =
  | { path: string; value: Value }
  | { path: string; insert: number; value: Value }
  | { path: string; move: number };

type Step = string | number;

/** "faq.sections[0].items" as ["faq", "sections", 0, "items"]. */
export function stepsOf(path: string): readonly Step[] {
  const steps = known.get(path) ?? [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
  known.set(path, steps);
  return steps;
}

/** A cache: every field reads its value on each keystroke. */
const known = new Map<string, readonly Step[]>();

export function pathOf(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => (typeof step === "number" ? `${path}[${step}]` : join(path, step)), "");
}

/** The path of a field in a table; that of the content itself is "". */
export function join(path: string, name: string): string {
  return path === "" ? name : name === "" ? path : `${path}.${name}`;
}

/** The path of the table or list that contains a value. */
export function parentOf(path: string): string {
  return pathOf(stepsOf(path).slice(0, -1));
}

/** Whether `inner` is the value at `outer` or inside it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || outer === "" || (inner.startsWith(outer) && (inner[outer.length] === "." || inner[outer.length] === "["));
}

export function valueAt(content: Table, path: string): Value | undefined {
  return stepsOf(path).reduce<Value | undefined>((value, step) => {
    if (typeof step === "number") return Array.isArray(value) ? value[step] : undefined;
    return isTable(value) ? value[step] : undefined;
  }, content);
}

/** The content after a change. Unchanged parts keep their identity. */
export function applied(content: Table, change: Change): Table {
  const steps = stepsOf(change.path);
  if ("insert" in change) return edited(content, steps, (list) => spliced(list, change.insert, 0, [change.value])) as Table;
  const last = steps.at(-1);
  if ("move" in change) {
    return edited(content, steps.slice(0, -1), (list) => {
      const rest = spliced(list, last as number, 1, []);
      return spliced(rest, change.move, 0, [(list as Value[])[last as number] as Value]);
    }) as Table;
  }
  if (change.value === null && typeof last === "number") return edited(content, steps.slice(0, -1), (list) => spliced(list, last, 1, [])) as Table;
  return edited(content, steps, () => change.value) as Table;
}

function edited(value: Value | undefined, [step, ...rest]: readonly Step[], edit: (value: Value | undefined) => Value): Value {
  if (step === undefined) return edit(value);
  if (typeof step === "number") {
    const list = Array.isArray(value) ? value : [];
    return list.map((member, index) => (index === step ? edited(member, rest, edit) : member));
  }
  const table = isTable(value) ? value : {};
  return { ...table, [step]: edited(table[step], rest, edit) };
}

function spliced(list: Value | undefined, at: number, removed: number, added: Value[]): Value[] {
  const members = Array.isArray(list) ? [...list] : [];
  members.splice(at, removed, ...added);
  return members;
}

/** The new path of a value after a change; undefined if the change removes the value. */
export function rebased(path: string, change: Change): string | undefined {
  if ("insert" in change) return atIndex(path, change.path, (index) => (index >= change.insert ? index + 1 : index));
  const steps = stepsOf(change.path);
  const from = steps.at(-1);
  if (typeof from !== "number") return path;
  const list = pathOf(steps.slice(0, -1));
  if ("move" in change) {
    return atIndex(path, list, (index) => {
      if (index === from) return change.move;
      const without = index > from ? index - 1 : index;
      return without >= change.move ? without + 1 : without;
    });
  }
  if (change.value !== null) return path;
  return atIndex(path, list, (index) => (index === from ? undefined : index > from ? index - 1 : index));
}

/** Replaces the index of `list` in a path that leads through it. */
function atIndex(path: string, list: string, other: (index: number) => number | undefined): string | undefined {
  if (path === list || !isWithin(path, list)) return path;
  const depth = stepsOf(list).length;
  const steps = stepsOf(path);
  const index = steps[depth];
  if (typeof index !== "number") return path;
  const next = other(index);
  return next === undefined ? undefined : pathOf([...steps.slice(0, depth), next, ...steps.slice(depth + 1)]);
}

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
