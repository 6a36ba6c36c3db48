import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionTitle, actorName, categoryName, sentenceOf, wordings, type Names } from "./sentences";

const actions = JSON.parse(readFileSync(new URL("../../../../src/store/audit_actions.json", import.meta.url), "utf8")) as string[];

const labels = { "lash-lift": "Lash Lift", "lash-extensions": "Lash Extensions" };
const names: Names = {
  category: (slug, subCategory) => categoryName(labels, { "lash-lift/Standard Lash Lift": "Lash Lift" }, slug, subCategory),
  judge: (id) => (id === "3" ? "Mona" : id),
};

test("every action that the server writes has a title and a sentence, and no other has", () => {
  expect(Object.keys(wordings).sort()).toEqual([...actions].sort());
  const titles = actions.map(actionTitle);
  expect(new Set(titles).size).toBe(titles.length);
  for (const action of actions) {
    const [before, after] = sentenceOf({ action, kind: null, detail: null }, names);
    expect(after === "" ? before : `${before}It${after}`, action).toMatch(/^[A-Z0-9 ].*\.$/);
    expect(before + after, action).not.toMatch(/undefined|null|NaN|\[object/);
  }
});

const said = (action: string, detail: Record<string, unknown> | null = null, kind: string | null = "competition-entries") => sentenceOf({ action, kind, detail }, names).join("Entry 17");

test.each([
  ["registered", null, "Entry 17 was received."],
  ["refund", { amountCents: 10_692, refund: 3, category: "BR-317" }, "A refund of $106.92 was requested for Entry 17, for its category BR-317."],
  ["nomination returned", { code: "LL-204", slots: ["front"] }, "Nomination LL-204 of Entry 17 was returned for other photos."],
  ["reviewed", { status: "in_review", note: true, mail: false }, 'Entry 17 is now "In review", with a note.'],
  ["answers corrected", { values: { businessName: { from: "A", to: "B" } } }, "Answers of Entry 17 were corrected: business name."],
])("%s %o", (action, detail, sentence) => {
  expect(said(action, detail)).toBe(sentence);
});

test.each([
  ["exported", { format: "csv", kind: "waitlist-signups", from: "2026-01-01", to: null, status: "accepted" }, 'Waitlist signups were exported as CSV, from 2026-01-01, with the status "Invited".'],
  ["exported", { format: "xlsx", kind: null }, "All registrations were exported as XLSX."],
  ["sign-ins refused", { count: 12 }, "12 wrong passwords were refused."],
  ["form closed", { kind: "competition-entries" }, "The form for competition entries was closed."],
  ["results sealed", { category: "lash-lift", subCategory: "Standard Lash Lift" }, "The results of Lash Lift were sealed."],
  ["results published", { category: "lash-extensions", subCategory: "Mega" }, "The results of Lash Extensions - Mega were published."],
  ["judge invited", { judge: 3, warnings: 0 }, "Judge Mona was invited."],
  ["judge removed", { judge: 4 }, "Judge 4 was removed."],
  ["mail retried", { mail: null, count: 2 }, "2 emails were queued to be sent now."],
  ["content published", { revision: 4, note: "New price", changes: 1 }, "1 change was published as version 4 of the website: New price."],
])("%s %o without a record", (action, detail, sentence) => {
  expect(sentenceOf({ action, kind: null, detail }, names).join("")).toBe(sentence);
});

test("what another version of the program wrote is shown as it is stored", () => {
  expect(sentenceOf({ action: "did something new", kind: null, detail: { a: 1 } }, names)).toEqual(["did something new ", ""]);
  expect([actorName("program"), actorName("ana")]).toEqual(["The server", "ana"]);
});
