import { dollars } from "../../lib/money";
import { versionDate } from "../../lib/dates";
import { timeOfDay } from "../shell/event-time";
import type { Difference } from "./api";
import { isTable, textOf, type Field, type Table, type Value } from "./field-types";
import { parts } from "./fields";
import { dotted, isWithin, join, parentOf, valueAt } from "./values";

export interface Place {
  /** Of the value. */
  path: string;
  /** Of the editor's page. */
  part: string;
  /** From the page to the value: "People", "Ana Lima", "Name". */
  labels: string[];
  field: Field | undefined;
}

/** Where a value is edited. `content` gives the titles of the list members that lead to it. */
export function placeOf(written: string, content: Table): Place | undefined {
  const path = dotted(written);
  for (const part of parts) {
    for (const section of part.sections) {
      for (const field of section.fields) {
        const found = trail(field, section.path, path, content);
        // Fields of sections with a name of their own: "Speaker applications: Open".
        if (found) return { path, part: part.name, labels: [part.title, ...(part.sections.length > 3 ? [section.title] : []), ...found.labels], field: found.field };
      }
      if (section.path === path) return { path, part: part.name, labels: [part.title, section.title], field: undefined };
    }
  }
  return undefined;
}

function trail(field: Field, outer: string, path: string, content: Table): { labels: string[]; field: Field } | undefined {
  const at = join(outer, field.name);
  if (!isWithin(path, at)) return undefined;
  if (path === at) return { labels: [field.label], field };
  const index = Number(path.slice(at.length + 1).split(".")[0]);
  if (field.type === "lines") return { labels: [field.label, `${field.one} ${index + 1}`], field };
  if (field.type !== "list" && field.type !== "group") return undefined;
  const member = field.type === "list" ? join(at, index) : at;
  const value = valueAt(content, member);
  const title = field.type === "group" ? field.label : (isTable(value) && field.title(value)) || `${field.one} ${index + 1}`;
  if (path === member) return { labels: [title], field };
  const inside = field.type === "list" ? field.of : field.fields;
  const found = inside.map((inner) => trail(inner, member, path, content)).find(Boolean);
  return found && { ...found, labels: [title, ...found.labels] };
}

/** A value as a person reads it. */
export function valueText(value: Value | undefined, field: Field | undefined): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map((member) => (isTable(member) && field?.type === "list" ? field.title(member) : valueText(member, field?.type === "group" ? field.fields[0] : undefined))).join(", ");
  if (isTable(value)) return field?.type === "list" ? field.title(value) || "a new one" : Object.values(value).filter((inner) => typeof inner === "string" && inner).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  switch (field?.type) {
    case "dollars": return dollars(Number(value));
    case "percent": return `${Number(value) / 100}%`;
    case "day": return versionDate(textOf(value));
    case "time": return timeOfDay(textOf(value));
    case "moment": {
      const [day = "", time] = textOf(value).split(" ");
      return time ? `${versionDate(day)}, ${timeOfDay(time)}` : versionDate(day);
    }
    case "choice": return Array.isArray(field.options) ? field.options.find((option: { value: string }) => option.value === textOf(value))?.label ?? textOf(value) : textOf(value);
    default: return textOf(value);
  }
}

/** What a difference is, for a person: what was done, and the values before and after. */
export function differenceText(difference: Difference, field: Field | undefined): { done: string; before?: string; after?: string } {
  switch (difference.kind) {
    case "changed": return { done: "Changed", before: valueText(difference.before, field), after: valueText(difference.value, field) };
    case "added": return { done: "Added", after: valueText(difference.value, field) };
    case "removed": return { done: "Removed", before: valueText(difference.before, field) };
    case "confirmed": return { done: "Confirmed as it is", after: valueText(difference.value, field) };
    case "moved": return { done: `Moved from place ${difference.from + 1} to ${Number(dotted(difference.path).split(".").at(-1)) + 1}` };
  }
}

/** "a question", "an award". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The checker's sentence with the labels of the fields that it names by their keys: "event.first_day". */
export function withLabels(sentence: string, path: string): string {
  const named = sentence.replace(/\b[a-z_]+(?:\.[a-z_]+)+\b/g, (key) => {
    const place = placeOf(camelCased(key), {});
    return place ? `“${place.labels.at(-1)}”` : key;
  });
  const inTable = named.replace(/^must not be (?:lower|less|earlier) than (\w+)$|^must be later than (\w+)$/, (whole: string) => {
    const key = whole.split(" ").at(-1) ?? "";
    const beside = placeOf(join(parentOf(path), camelCased(key)), {});
    return beside ? whole.replace(key, `“${beside.labels.at(-1)}”`) : whole;
  });
  const first = inTable.charAt(0).toUpperCase() + inTable.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

const camelCased = (key: string) => key.replace(/_([a-z])/g, (_, character: string) => character.toUpperCase());
