import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, it } from "vitest";
import { camelCased } from "../../../test/sample-input";
import { join, valueAt } from "./values";
import type { Field, Table, Value } from "./field-types";
import { parts } from "./fields";

const content = camelCased(parse(readFileSync(new URL("../../../../src/site/content/event.toml", import.meta.url), "utf8"))) as Table;

/** What is not edited here: the texts of single emails have their own section, the rest is for the installation. */
const elsewhere = [/^mail\.(decisions|refund|reminder|invitation)\b/, /^event\.(timeZone|demoDay)$/, /^door\.ticketsBeforeDays\b/];

/** "faq.sections[].title" for each value of a field. */
function pathsOf(path: string, fields: readonly Field[]): string[] {
  return fields.flatMap((field) => {
    const at = join(path, field.name);
    if (field.type === "group" && !field.array) return pathsOf(at, field.fields);
    if (field.type === "list") return pathsOf(`${at}[]`, field.of);
    if (field.type === "lines" || field.type === "group") return [`${at}[]`];
    return [at];
  });
}

function leavesOf(value: Value | undefined, path = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((member) => leavesOf(member, `${path}[]`)))];
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, join(path, key)));
  return [path];
}

const described = parts.flatMap((part) => part.sections.flatMap((section) => pathsOf(section.path, section.fields)));

it("has one field for each value of the content", () => {
  expect(leavesOf(content).filter((path) => !described.includes(path) && !elsewhere.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(described.filter((path, index) => described.indexOf(path) !== index), "described twice").toEqual([]);
});

it("has no text in the content that is longer than its field takes, and no list that has more or fewer members", () => {
  const found: string[] = [];
  const check = (value: Value | undefined, field: Field, path: string): void => {
    if (value === undefined || value === null) return;
    if (field.type === "group") for (const inner of field.fields) check(valueAt(value as Table, inner.name), inner, join(path, inner.name));
    else if (field.type === "list" || field.type === "lines") {
      const members = value as Value[];
      if (members.length < field.least || members.length > field.most) found.push(path);
      for (const [index, member] of members.entries()) {
        if (field.type === "lines" && String(member).length > field.longest) found.push(`${path}[${index}]`);
        if (field.type === "list") for (const inner of field.of) check(valueAt(member as Table, inner.name), inner, `${path}[${index}].${inner.name}`);
      }
    } else if ((field.type === "line" || field.type === "text") && String(value).length > field.most) found.push(path);
    else if (field.type === "choice" && Array.isArray(field.options) && !field.options.some((option) => option.value === String(value))) found.push(path);
  };
  for (const part of parts) for (const section of part.sections) for (const field of section.fields) check(valueAt(content, join(section.path, field.name)), field, join(section.path, field.name));
  expect(found).toEqual([]);
});
