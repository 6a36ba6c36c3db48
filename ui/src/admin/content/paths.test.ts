import { expect, it } from "vitest";
import { bracketed, changesOf, dotted, isWithin, join, parentOf, valueAt } from "./paths";

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
