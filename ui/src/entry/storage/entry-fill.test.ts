import { afterEach, beforeEach, expect, it, vi } from "vitest";

let kept: Map<string, string>;
let listeners: Map<string, (event: { persisted: boolean }) => void>;

const storage = () => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});

/** A page that has loaded: its memory is its own, what the tab keeps is as it was. */
async function page() {
  vi.resetModules();
  listeners = new Map();
  const fill = await import("./entry-fill");
  fill.claimFill();
  return { ...fill, tell: (event: string, persisted = false) => listeners.get(event)?.({ persisted }) };
}

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("addEventListener", (event: string, listener: () => void) => listeners.set(event, listener));
});

afterEach(() => vi.unstubAllGlobals());

it("keeps its key for the same person, through reloads", async () => {
  const first = await page();
  const key = first.fillKey("ana@example.com");
  first.changeFill({ clientSecret: "pi_1_secret_1" });
  expect(first.fillKey(" Ana@example.com")).toBe(key);
  first.tell("pagehide");
  const second = await page();
  expect(second.loadFill().clientSecret).toBe("pi_1_secret_1");
  expect(second.fillKey("ana@example.com")).toBe(key);
});

it("has another key and no payment for another person", async () => {
  const { fillKey, changeFill, loadFill } = await page();
  const key = fillKey("ana@example.com");
  changeFill({ clientSecret: "pi_1_secret_1" });
  expect(fillKey("bea@example.com")).not.toBe(key);
  expect(loadFill().clientSecret).toBeUndefined();
});

it("has another key where the first page still lives, which keeps its own", async () => {
  const first = await page();
  const key = first.fillKey("ana@example.com");
  first.changeFill({ clientSecret: "pi_1_secret_1", prefilled: "Lash Lift" });
  const original = kept;
  kept = new Map(original);
  const duplicate = await page();
  expect(duplicate.loadFill()).toMatchObject({ prefilled: "Lash Lift" });
  expect(duplicate.loadFill().clientSecret).toBeUndefined();
  const second = duplicate.fillKey("ana@example.com");
  expect(second).not.toBe(key);
  duplicate.tell("pagehide");
  const reloaded = await page();
  expect(reloaded.fillKey("ana@example.com")).toBe(second);
  kept = original;
  expect(first.fillKey("ana@example.com")).toBe(key);
});

it("lets go of nothing that is another page's", async () => {
  const bystander = await page();
  kept.set("entry-fill", JSON.stringify({ key: "theirs", email: "ana@example.com", owner: "another page" }));
  bystander.tell("pagehide");
  expect((await page()).fillKey("ana@example.com")).not.toBe("theirs");
});

it("takes hold again when the browser brings the page back", async () => {
  const first = await page();
  const key = first.fillKey("ana@example.com");
  first.tell("pagehide");
  first.tell("pageshow", true);
  expect((await page()).fillKey("ana@example.com"), "a duplicate").not.toBe(key);
});

it("knows that another page has sent something else for the same payment", async () => {
  const first = await page();
  first.noteWritten("pi_1_secret_1");
  first.tell("pagehide");
  expect(first.isWrittenElsewhere("pi_1_secret_1")).toBe(false);
  const second = await page();
  second.noteWritten("pi_1_secret_1");
  expect([first, second].map(({ isWrittenElsewhere }) => isWrittenElsewhere("pi_1_secret_1"))).toEqual([true, false]);
  second.noteWritten("pi_2_secret_2");
  expect(first.isWrittenElsewhere("pi_1_secret_1"), "nothing is known of it any more").toBe(false);
});

it("works where nothing is kept", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  vi.stubGlobal("localStorage", undefined);
  const { fillKey, changeFill, isOwnPayment } = await page();
  expect(fillKey("ana@example.com")).toBe(fillKey("ana@example.com"));
  changeFill({ clientSecret: "pi_1_secret_1" });
  expect(isOwnPayment("pi_1_secret_1", "ana@example.com")).toBe(true);
});
