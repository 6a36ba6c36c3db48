import { expect, it } from "vitest";
import { applied, isWithin, join, parentOf, pathOf, rebased, stepsOf, valueAt, type Change } from "./paths";

const content = { faq: { sections: [{ items: ["a", "b", "c"] }, { items: ["d"] }] }, mail: { next: { "waitlist-signups": ["x"] } } };

it("reads and writes paths", () => {
  for (const path of ["faq.sections[0].items[2]", "mail.next.waitlist-signups[0]", "event", ""]) expect(pathOf(stepsOf(path))).toBe(path);
  expect(parentOf("faq.sections[0].items[2]")).toBe("faq.sections[0].items");
  expect([join("", "faq"), join("faq", "title"), join("faq", "")]).toEqual(["faq", "faq.title", "faq"]);
  expect([isWithin("event.name", "event"), isWithin("eventful", "event"), isWithin("list[1]", "list"), isWithin("list[10]", "list[1]")]).toEqual([true, false, true, false]);
  expect([valueAt(content, "faq.sections[0].items[2]"), valueAt(content, "mail.next.waitlist-signups[0]"), valueAt(content, "faq.none[0].x")]).toEqual(["c", "x", undefined]);
});

it.for<[string, Change, unknown]>([
  ["sets", { path: "faq.sections[0].items[1]", value: "B" }, ["a", "B", "c"]],
  ["inserts", { path: "faq.sections[0].items", insert: 1, value: "n" }, ["a", "n", "b", "c"]],
  ["removes", { path: "faq.sections[0].items[0]", value: null }, ["b", "c"]],
  ["moves forward", { path: "faq.sections[0].items[0]", move: 2 }, ["b", "c", "a"]],
  ["moves back", { path: "faq.sections[0].items[2]", move: 0 }, ["c", "a", "b"]],
])("%s", ([, change, expected]) => {
  const after = applied(content, change);
  expect(valueAt(after, "faq.sections[0].items")).toEqual(expected);
  expect(valueAt(after, "faq.sections[1]"), "the rest is the same object").toBe(content.faq.sections[1]);
  // A path follows its member.
  for (const [index, member] of ["a", "b", "c"].entries()) {
    const path = rebased(`faq.sections[0].items[${index}]`, change);
    if ("value" in change && !("insert" in change)) continue;
    expect(path && valueAt(after, path)).toBe(member);
  }
});

it("knows where a path leads after a removal, and what it does not touch", () => {
  const removal: Change = { path: "faq.sections[0]", value: null };
  expect(rebased("faq.sections[0].items[1]", removal)).toBeUndefined();
  expect(rebased("faq.sections[1].items[0]", removal)).toBe("faq.sections[0].items[0]");
  expect(rebased("faq.sections", removal)).toBe("faq.sections");
  expect(rebased("home.cards[1]", removal)).toBe("home.cards[1]");
  expect(rebased("faq.sections[1]", { path: "faq.sections[0].items", value: [] })).toBe("faq.sections[1]");
});

it("removes an optional value by setting null", () => {
  expect(applied({ home: { quote: { text: "x" } } }, { path: "home.quote", value: null })).toEqual({ home: { quote: null } });
});
