import { isTable, type Value } from "./fields/field";

/** The new value with the parts of the old one that are equal, so that what shows them need not be rendered again. */
export function withSharedStructure<Kind extends Value | undefined>(before: Value | undefined, after: Kind): Kind {
  if (before === after) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    const members = after.map((member, index) => withSharedStructure(before[index], member));
    return (members.length === before.length && members.every((member, index) => member === before[index]) ? before : members) as Kind;
  }
  if (isTable(before) && isTable(after)) {
    const entries = Object.entries(after).map(([key, value]) => [key, withSharedStructure(before[key], value)] as const);
    const isEqual = entries.length === Object.keys(before).length && entries.every(([key, value]) => key in before && value === before[key]);
    return (isEqual ? before : Object.fromEntries(entries)) as Kind;
  }
  return after;
}
