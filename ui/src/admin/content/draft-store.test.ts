import { expect, it, vi } from "vitest";
import { ApiError } from "../../lib/api-error";
import type { Versioned } from "../shell/versioned";
import type { Draft } from "./api";
import { DraftStore, type Server } from "./draft-store";
import type { Table, Value } from "./fields/field";
import { applied, valueAt, type Change } from "./paths";

const first = { event: { name: "Showcase", city: "Jersey City" }, pricing: { fee: 100, regular: 200 }, faq: { items: [{ q: "a" }, { q: "b" }, { q: "c" }] } };

/** A server in memory. `rule` refuses a content with errors by path. */
class Fake implements Server {
  content: Table = first;
  version = 1;
  isDown = false;
  isSignedOut = false;
  asked: Change[][] = [];
  rule: (content: Table) => Record<string, string> = () => ({});

  answer(): Versioned<Draft> {
    return { tag: `"${this.version}"`, value: { content: JSON.parse(JSON.stringify(this.content)) as Table, base: 1, changes: [], conflicts: [], problems: {}, samples: [], unconfirmed: [], savedAt: null, by: null } };
  }

  read = async () => this.answer();

  save = async (changes: readonly Change[], tag: string) => {
    this.asked.push([...changes]);
    if (this.isDown) throw new TypeError("Failed to fetch");
    if (this.isSignedOut) throw new ApiError(401, "Unauthorized", "{}");
    if (tag !== `"${this.version}"`) throw new ApiError(412, "Precondition Failed", "{}");
    const next = changes.reduce(applied, this.content);
    const errors = this.rule(next);
    if (Object.keys(errors).length > 0) throw new ApiError(422, "", JSON.stringify({ errors }));
    this.others(next);
    return this.answer();
  };

  /** Somebody else has saved this. */
  others(content: Table) {
    this.content = content;
    this.version += 1;
  }
}

function opened(kept: Change[] = []) {
  const server = new Fake();
  const keep = { kept, load: () => kept, store: (changes: Change[]) => void (keep.kept = changes) };
  const store = new DraftStore(server, keep);
  store.load(server.answer());
  return { server, store, keep };
}

const set = (path: string, value: Value): Change => ({ path, value });

it("shows what is typed at once, and saves the last of it", async () => {
  const { server, store } = opened();
  store.edit(set("event.name", "S"));
  store.edit(set("event.city", "Newark"));
  store.edit(set("event.name", "Sh"));
  expect([valueAt(store.content, "event.name"), store.status]).toEqual(["Sh", "unsaved"]);
  expect(await store.flush()).toBe(true);
  expect(server.asked).toEqual([[set("event.name", "Sh"), set("event.city", "Newark")]]);
  expect(store.status).toBe("saved");
  expect(valueAt(store.content, "faq"), "what was not changed is the same object").toBe(valueAt(store.saved?.value.content ?? {}, "faq"));
});

it("keeps a refused change with its sentence, saves the others, and sends it again with the field it needs", async () => {
  const { server, store } = opened();
  server.rule = (content): Record<string, string> => (Number(valueAt(content, "pricing.fee")) > Number(valueAt(content, "pricing.regular")) ? { "pricing.regular": "must not be lower" } : {});
  store.edit(set("pricing.fee", 300));
  store.edit(set("event.city", "Newark"));
  expect(await store.flush()).toBe(false);
  expect(valueAt(server.content, "event.city")).toBe("Newark");
  expect([store.status, store.errors, valueAt(store.content, "pricing.fee")]).toEqual(["refused", { "pricing.regular": "must not be lower" }, 300]);
  store.edit(set("pricing.regular", 400));
  expect(await store.flush()).toBe(true);
  expect([store.status, store.errors, server.content.pricing]).toEqual(["saved", {}, { fee: 300, regular: 400 }]);
});

it("keeps what is typed while there is no connection, over a reload too", async () => {
  const { server, store, keep } = opened();
  server.isDown = true;
  store.edit(set("event.name", "Offline"));
  expect(await store.flush()).toBe(false);
  expect([store.status, valueAt(store.content, "event.name")]).toEqual(["offline", "Offline"]);
  const later = opened(keep.kept);
  expect(valueAt(later.store.content, "event.name")).toBe("Offline");
  server.isDown = false;
  expect(await store.flush()).toBe(true);
  expect([store.status, valueAt(server.content, "event.name")]).toEqual(["saved", "Offline"]);
  expect(keep.kept).toEqual([]);
  store.forget();
  later.store.forget();
});

it("saves over somebody else's change of other fields, and asks about the same field", async () => {
  const { server, store } = opened();
  server.others({ ...first, event: { name: "Theirs", city: "Jersey City" } });
  store.edit(set("event.city", "Newark"));
  store.edit(set("event.name", "Mine"));
  expect(await store.flush()).toBe(false);
  expect(server.content.event).toEqual({ name: "Theirs", city: "Newark" });
  expect([store.status, store.disputes]).toEqual(["disputed", [{ path: "event.name", theirs: "Theirs", yours: "Mine" }]]);
  store.settle("event.name", true);
  expect(await store.flush()).toBe(true);
  expect(server.content.event).toEqual({ name: "Mine", city: "Newark" });
  server.others({ ...server.content, event: { name: "Again", city: "Newark" } });
  store.edit(set("event.name", "Mine too"));
  await store.flush();
  store.settle("event.name", false);
  expect(await store.flush()).toBe(true);
  expect(valueAt(store.content, "event.name")).toBe("Again");
});

it("gives up for a while if the server refuses every version", async () => {
  const { server, store } = opened();
  const tags: string[] = [];
  server.save = async (_, tag) => {
    tags.push(tag);
    throw new ApiError(412, "Precondition Failed", "{}");
  };
  store.edit(set("event.name", "Mine"));
  expect(await store.flush()).toBe(false);
  expect([tags.length, store.status, valueAt(store.content, "event.name")]).toEqual([6, "offline", "Mine"]);
  store.forget();
});

it("takes a list as somebody else has left it, where both have moved something", async () => {
  const { server, store } = opened();
  server.others({ ...first, faq: { items: [{ q: "c" }, { q: "a" }] } });
  store.edit({ path: "faq.items[0]", move: 2 });
  await store.flush();
  expect(store.content.faq).toEqual({ items: [{ q: "c" }, { q: "a" }] });
});

it("follows a member whose refused text is not saved when the list is changed", async () => {
  const { server, store } = opened();
  server.rule = (content): Record<string, string> => {
    const items = valueAt(content, "faq.items") as Table[];
    const at = items.findIndex(({ q }) => q === "");
    return items.length === 0 ? { "faq.items": "this list needs at least one member" } : at >= 0 ? { [`faq.items[${at}].q`]: "must not be empty" } : {};
  };
  store.edit(set("faq.items[2].q", ""));
  await store.flush();
  store.edit({ path: "faq.items[0]", value: null });
  await store.flush();
  expect(server.content.faq).toEqual({ items: [{ q: "b" }, { q: "c" }] });
  expect([store.content.faq, store.errors]).toEqual([{ items: [{ q: "b" }, { q: "" }] }, { "faq.items[1].q": "must not be empty" }]);
  store.edit(set("faq.items[1].q", "new"));
  expect(await store.flush()).toBe(true);
  // A removal that is refused is undone, with the reason at the list.
  store.edit({ path: "faq.items[0]", value: null }, { path: "faq.items[0]", value: null });
  await store.flush();
  expect([store.content.faq, store.errors]).toEqual([{ items: [{ q: "b" }, { q: "new" }] }, { "faq.items": "this list needs at least one member" }]);
});

it("sends nothing again while the session has ended, and everything once the draft is read again", async () => {
  vi.useFakeTimers();
  try {
    const { server, store, keep } = opened();
    server.isSignedOut = true;
    store.edit(set("event.name", "Kept"));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.asked.length).toBe(1);
    expect(keep.kept).toEqual([set("event.name", "Kept")]);
    server.isSignedOut = false;
    // Nobody has changed it meanwhile: the tag is known.
    store.load(server.answer());
    await vi.advanceTimersByTimeAsync(1_000);
    expect([valueAt(server.content, "event.name"), store.status]).toEqual(["Kept", "saved"]);
  } finally {
    vi.useRealTimers();
  }
});
