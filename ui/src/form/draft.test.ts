import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { discardDraft, loadDraft, saveDraft } from "./draft";

const kind = "waitlist-signups";
const day = 24 * 3600 * 1000;
let kept: Map<string, string>;

function storage(setItem: (key: string, value: string) => void) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem,
    removeItem: (key: string) => void kept.delete(key),
  };
}

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", storage((key, value) => void kept.set(key, value)));
});

afterEach(() => {
  discardDraft(kind);
  vi.unstubAllGlobals();
});

it("brings back what was kept", () => {
  const draft = { values: { name: "Ana" }, savedAt: 1000 };
  expect(saveDraft(kind, draft)).toBe(true);
  expect(loadDraft(kind, 2000)).toEqual(draft);
  expect(loadDraft("sponsor-inquiries", 2000)).toBeUndefined();
});

it("forgets after a month, and when told to", () => {
  saveDraft(kind, { values: { name: "Ana" }, savedAt: 1000 });
  expect(loadDraft(kind, 1000 + 31 * day)).toBeUndefined();
  discardDraft(kind);
  expect(loadDraft(kind, 2000)).toBeUndefined();
});

it("says when the browser keeps nothing, and lasts as long as the visit", () => {
  vi.stubGlobal("localStorage", storage(() => {
    throw new DOMException("no room", "QuotaExceededError");
  }));
  expect(saveDraft(kind, { values: { name: "Ana" }, savedAt: 1000 })).toBe(false);
  expect(loadDraft(kind, 2000)?.values).toEqual({ name: "Ana" });
});

it("survives what it cannot read", () => {
  kept.set(`draft:${kind}`, "{broken");
  expect(loadDraft(kind, 2000)).toBeUndefined();
  kept.set(`draft:${kind}`, '{"savedAt": 1}');
  expect(loadDraft(kind, 2000)).toBeUndefined();
});
