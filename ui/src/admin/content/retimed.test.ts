import { expect, it } from "vitest";
import { blankOf } from "./blank";
import { line, list, moment, text } from "./fields/field";
import { retimed } from "./retimed";
import { basisPointsIn, centsIn, dollarsText, integerIn, percentText } from "./value-texts";
import { withSharedStructure } from "./shared-structure";

const day = [
  { title: "breakfast", start: "09:30", end: "10:30" },
  { title: "one", start: "10:45", end: "11:05" },
  { title: "two", start: "11:05", end: "11:45" },
  { title: "lunch", start: "12:00", end: "13:00" },
];
const shown = (from: number, to: number) => retimed(day, from, to).map(({ title, start, end }) => `${title} ${start}-${end}`);

it("gives sessions that change places each other's times, with the pauses where they were", () => {
  expect(shown(2, 1)).toEqual(["breakfast 09:30-10:30", "two 10:45-11:25", "one 11:25-11:45", "lunch 12:00-13:00"]);
  expect(shown(0, 3)).toEqual(["one 09:30-09:50", "two 10:05-10:45", "lunch 10:45-11:45", "breakfast 12:00-13:00"]);
  expect(shown(1, 1)).toEqual(day.map(({ title, start, end }) => `${title} ${start}-${end}`));
});

it("reads amounts, percentages and numbers within their limits", () => {
  expect([centsIn("$1,449.50", 50, 1_000_000), centsIn("0.49", 50, 1_000_000), centsIn("ten", 50, 100), dollarsText(44900)]).toEqual([144950, undefined, undefined, "449.00"]);
  expect([basisPointsIn("6.25 %", 0, 2500), basisPointsIn("26", 0, 2500), percentText(625)]).toEqual([625, undefined, "6.25"]);
  expect([integerIn("12", 0, 100), integerIn("101", 0, 100), integerIn("1.5", 0, 100)]).toEqual([12, undefined, undefined]);
});

it("makes an empty member with every field that is required", () => {
  expect(blankOf([line("label", "l"), moment("until", "u", "h"), text("map.hint", "h"), list("items", "i", "item", [line("title", "t")], { least: 1 })], {}))
    .toEqual({ label: "", map: { hint: "" }, items: [{ title: "" }] });
});

it("keeps what is equal", () => {
  const before = { a: { b: [1, 2] }, c: { d: "x" } };
  const after = withSharedStructure(before, { a: { b: [1, 2] }, c: { d: "y" } });
  expect(after).toEqual({ a: { b: [1, 2] }, c: { d: "y" } });
  expect([after.a === before.a, after.c === before.c, withSharedStructure(before, JSON.parse(JSON.stringify(before))) === before]).toEqual([true, false, true]);
});
