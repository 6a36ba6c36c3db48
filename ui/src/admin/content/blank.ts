import type { Field, Table, Value } from "./fields/field";

/** A new table: required values are empty, and optional ones are absent. */
export function blankOf(fields: readonly Field[], content: Table): Table {
  const table: Table = {};
  for (const field of fields) {
    const value = blankValue(field, content, table);
    if (value !== null) set(table, field.name.split("."), value);
  }
  return table;
}

function blankValue(field: Field, content: Table, of: Table): Value {
  switch (field.type) {
    case "line": case "text": case "picture": return "";
    case "number": case "dollars": case "percent": return field.least;
    case "day": return field.optional ? null : dayOf(content);
    case "time": return "09:00";
    case "moment": return null;
    case "flag": return field.otherwise ?? false;
    case "choice": {
      const options = typeof field.options === "function" ? field.options(content, of) : field.options;
      const value = options[0]?.value ?? "";
      return field.numeric ? Number(value) : value === "" && field.optional ? null : value;
    }
    case "group": return field.optional ? null : blankOf(field.fields, content);
    case "lines": return Array.from({ length: field.least }, () => "");
    case "amounts": return field.labels.map(() => field.least);
    case "list": return Array.from({ length: field.least }, () => blankOf(field.of, content));
  }
}

function set(table: Table, [name = "", ...rest]: string[], value: Value): void {
  if (rest.length === 0) table[name] = value;
  else set((table[name] ??= {}) as Table, rest, value);
}

/** The event's first day, as a default. */
function dayOf(content: Table): string {
  return String((content.event as Table | undefined)?.firstDay ?? "2026-01-01");
}
