import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { storageOf } from "../../test/storage";
import { discardDraft, leftByOthers, loadDraft, saveDraft, withChanges } from "./draft";

const kind = "waitlist-signups";
const day = 24 * 3600 * 1000;
let kept: Map<string, string>;

function fillStorage(): void {
  vi.stubGlobal("localStorage", { ...storageOf(() => kept), setItem: () => { throw new DOMException("no room", "QuotaExceededError"); } });
}

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", storageOf(() => kept));
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
  fillStorage();
  expect(saveDraft(kind, { values: { name: "Ana" }, savedAt: 1000 })).toBe(false);
  expect(loadDraft(kind, 2000)?.values).toEqual({ name: "Ana" });
});

it("survives what it cannot read", () => {
  kept.set(`draft:${kind}`, "{broken");
  expect(loadDraft(kind, 2000)).toBeUndefined();
  kept.set(`draft:${kind}`, '{"savedAt": 1}');
  expect(loadDraft(kind, 2000)).toBeUndefined();
});

it("follows what another tab has kept or discarded since", () => {
  saveDraft(kind, { values: { name: "Ana" }, savedAt: 1000 });
  kept.set(`draft:${kind}`, '{"values":{"name":"Bo"},"savedAt":1500}');
  expect(loadDraft(kind, 2000)?.values).toEqual({ name: "Bo" });
  kept.clear();
  expect(loadDraft(kind, 2000)).toBeUndefined();
});

it("prefers what the browser did not take to what it had before", () => {
  saveDraft(kind, { values: { name: "Ana" }, savedAt: 1000 });
  fillStorage();
  saveDraft(kind, { values: { name: "Ana Núñez" }, savedAt: 1500 });
  expect(loadDraft(kind, 2000)?.values).toEqual({ name: "Ana Núñez" });
});

describe("beside another tab", () => {
  const changed = (...names: string[]) => new Set(names);

  it("keeps the other's fields and one's own", () => {
    expect(withChanges({ experience: "Long", name: "A" }, { name: "B" }, changed("name"))).toEqual({ experience: "Long", name: "B" });
  });

  it("keeps nothing of what was emptied here", () => {
    expect(withChanges({ experience: "Long", name: "A" }, { experience: "Long" }, changed("name"))).toEqual({ experience: "Long" });
  });

  it("keeps everything that is shown where the other has discarded the draft", () => {
    expect(withChanges(undefined, { experience: "Long", name: "B" }, changed("name"))).toEqual({ experience: "Long", name: "B" });
  });

  it("leaves at its end what only the other has typed", () => {
    const kept = { experience: "Long", name: "A", email: "a@example.com", tools: ["one"] };
    expect(leftByOthers(kept, { name: "B", email: "a@example.com", tools: ["one"] }, changed("name"))).toEqual({ experience: "Long" });
  });
});
