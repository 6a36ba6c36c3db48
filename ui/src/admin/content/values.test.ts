import { expect, it } from "vitest";
import { day, dollars, group, line, list, moment, number, text, time, type NumberField, type Part } from "./field-types";
import { findInvalid, moveSession, newTable, numberIn, numberText, bracketed, changesOf, dotted, isWithin, join, parentOf, valueAt } from "./values";

const sessions = [
  { title: "breakfast", start: "09:30", end: "10:30" },
  { title: "one", start: "10:45", end: "11:05" },
  { title: "two", start: "11:05", end: "11:45" },
  { title: "lunch", start: "12:00", end: "13:00" },
];
const shown = (from: number, to: number) => moveSession(sessions, from, to).map(({ title, start, end }) => `${title} ${start}-${end}`);

it("gives sessions that change places each other's times, with the pauses where they were", () => {
  expect(shown(2, 1)).toEqual(["breakfast 09:30-10:30", "two 10:45-11:25", "one 11:25-11:45", "lunch 12:00-13:00"]);
  expect(shown(0, 3)).toEqual(["one 09:30-09:50", "two 10:05-10:45", "lunch 10:45-11:45", "breakfast 12:00-13:00"]);
  expect(shown(1, 1)).toEqual(sessions.map(({ title, start, end }) => `${title} ${start}-${end}`));
});

const numberField = (type: NumberField["type"], least: number, most: number): NumberField => ({ type, name: "n", label: "N", least, most });

it("reads amounts, percentages and numbers within their limits", () => {
  const dollars = numberField("dollars", 50, 1_000_000);
  const percent = numberField("percent", 0, 2500);
  const whole = numberField("number", 0, 100);
  expect([numberIn(dollars, "$1,449.50"), numberIn(dollars, "0.49"), numberIn(dollars, "ten"), numberText(dollars, 44900), numberText(dollars, "ten")]).toEqual([144950, undefined, undefined, "449.00", "ten"]);
  expect([numberIn(percent, "6.25 %"), numberIn(percent, "26"), numberText(percent, 625)]).toEqual([625, undefined, "6.25"]);
  expect([numberIn(whole, "12"), numberIn(whole, "101"), numberIn(whole, "1.5")]).toEqual([12, undefined, undefined]);
});

it("finds what cannot be sent, also in a row that is closed", () => {
  const part: Part = {
    name: "p", title: "P", about: "", page: "home",
    sections: [{ title: "S", path: "s", fields: [group("fees", "F", [{ ...dollars("0", "One"), most: 100 }, { ...dollars("1", "Two"), most: 100 }], { array: true }), list("rows", "Rows", "row", [number("n", "N", 0, 9), day("d", "D"), time("t", "T")])] }],
  };
  const row = { n: 3, d: "2026-03-28", t: "09:00" };
  expect(findInvalid(part, { s: { fees: [50, 60], rows: [row] } })).toEqual({});
  expect(findInvalid(part, { s: { fees: [50, "x"], rows: [row, { n: "12", d: "", t: "" }] } })).toEqual({
    "s.fees.1": "Please enter an amount from $0.50 to $1.00.", "s.rows.1.n": "Please enter a whole number from 0 to 9.", "s.rows.1.d": "Please choose a day.", "s.rows.1.t": "Please choose a time.",
  });
});

it("makes an empty member with every field that is required", () => {
  expect(newTable([line("label", "l"), moment("until", "u", "h"), text("map.hint", "h"), list("items", "i", "item", [line("title", "t")], { least: 1 })], {}))
    .toEqual({ label: "", map: { hint: "" }, items: [{ title: "" }] });
});

const content = { faq: { sections: [{ items: ["a", "b", "c"] }, { items: ["d"] }] }, mail: { next: { "waitlist-signups": ["x"] } }, home: { quote: null } };

it("reads paths in the spelling of the API and of the form", () => {
  for (const [api, form] of [["faq.sections[0].items[2]", "faq.sections.0.items.2"], ["mail.next.waitlist-signups[10]", "mail.next.waitlist-signups.10"], ["event", "event"]] as const) {
    expect([dotted(api), bracketed(form)]).toEqual([form, api]);
  }
  expect(parentOf("faq.sections.0.items.2")).toBe("faq.sections.0.items");
  expect([join("", "faq"), join("faq", "title"), join("faq", ""), join("faq", 0)]).toEqual(["faq", "faq.title", "faq", "faq.0"]);
  expect([isWithin("event.name", "event"), isWithin("eventful", "event"), isWithin("list.1", "list"), isWithin("list.10", "list.1")]).toEqual([true, false, true, false]);
  expect([valueAt(content, "faq.sections.0.items.2"), valueAt(content, "mail.next.waitlist-signups.0"), valueAt(content, "faq.none.0.x"), valueAt(content, "")]).toEqual(["c", "x", undefined, content]);
});

it("saves what has changed, and no absent value as null", () => {
  const after = { ...content, faq: { sections: [{ items: ["a"] }] }, home: {} };
  expect(changesOf(["faq.sections", "mail.next", "home.quote", "home.none"], content, after)).toEqual([{ path: "faq.sections", value: [{ items: ["a"] }] }]);
});
