import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { storageOf } from "../../../test/storage";

let kept: Map<string, string>;
let listeners: Map<string, (event: { persisted: boolean }) => void>;

/** Simulates a new page in the same tab: fresh module state, unchanged session storage. */
async function page() {
  vi.resetModules();
  listeners = new Map();
  const attempt = await import("./entry-attempt");
  attempt.claimAttempt();
  return { ...attempt, tell: (event: string, persisted = false) => listeners.get(event)?.({ persisted }) };
}

beforeEach(() => {
  kept = new Map();
  for (const name of ["sessionStorage", "localStorage"]) vi.stubGlobal(name, storageOf(() => kept));
  vi.stubGlobal("addEventListener", (event: string, listener: () => void) => listeners.set(event, listener));
});

afterEach(() => vi.unstubAllGlobals());

it("keeps its key when the form is corrected and when the page is reloaded", async () => {
  const first = await page();
  const key = first.attemptKey();
  first.changeAttempt({ clientSecret: "pi_1_secret_1" });
  expect(first.attemptKey()).toBe(key);
  first.tell("pagehide");
  const second = await page();
  expect(second.loadAttempt().clientSecret).toBe("pi_1_secret_1");
  expect(second.attemptKey()).toBe(key);
});

it("takes over the key of another page's entry when it continues with its payment", async () => {
  const first = await page();
  const key = first.attemptKey();
  first.noteSent("pi_1_secret_1");
  const own = new Map<string, string>();
  vi.stubGlobal("sessionStorage", storageOf(() => own));
  const second = await page();
  second.continueSent("pi_2_secret_2");
  expect(second.loadAttempt().key).toBeUndefined();
  second.continueSent("pi_1_secret_1");
  expect(second.attemptKey()).toBe(key);
  expect(second.loadAttempt().clientSecret).toBe("pi_1_secret_1");
});

it("has another key once it starts over", async () => {
  const { attemptKey, forgetAttempt } = await page();
  const key = attemptKey();
  forgetAttempt();
  expect(attemptKey()).not.toBe(key);
});

it("has another key while the first page is still open and keeps its own", async () => {
  const first = await page();
  const key = first.attemptKey();
  first.changeAttempt({ clientSecret: "pi_1_secret_1", prefilled: "Lash Lift" });
  const original = kept;
  kept = new Map(original);
  const duplicate = await page();
  expect(duplicate.loadAttempt()).toMatchObject({ prefilled: "Lash Lift" });
  expect(duplicate.loadAttempt().clientSecret).toBeUndefined();
  const second = duplicate.attemptKey();
  expect(second).not.toBe(key);
  duplicate.tell("pagehide");
  const reloaded = await page();
  expect(reloaded.attemptKey()).toBe(second);
  kept = original;
  expect(first.attemptKey()).toBe(key);
});

it("does not release what belongs to another page", async () => {
  const bystander = await page();
  kept.set("entry-attempt", JSON.stringify({ key: "theirs", owner: "another page" }));
  bystander.tell("pagehide");
  expect((await page()).attemptKey()).not.toBe("theirs");
});

it("becomes the owner again when the browser restores the page", async () => {
  const first = await page();
  const key = first.attemptKey();
  first.tell("pagehide");
  first.tell("pageshow", true);
  expect((await page()).attemptKey(), "a duplicate").not.toBe(key);
});

it("knows that another page has sent something else for the same payment", async () => {
  const first = await page();
  first.noteSent("pi_1_secret_1");
  first.tell("pagehide");
  expect(first.isSentElsewhere("pi_1_secret_1")).toBe(false);
  const second = await page();
  second.noteSent("pi_1_secret_1");
  expect([first, second].map(({ isSentElsewhere }) => isSentElsewhere("pi_1_secret_1"))).toEqual([true, false]);
  second.noteSent("pi_2_secret_2");
  expect(first.isSentElsewhere("pi_1_secret_1"), "nothing is known of it any more").toBe(false);
});

it("works without session storage", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  vi.stubGlobal("localStorage", undefined);
  const { attemptKey, changeAttempt, isOwnPayment } = await page();
  expect(attemptKey()).toBe(attemptKey());
  changeAttempt({ clientSecret: "pi_1_secret_1" });
  expect(isOwnPayment("pi_1_secret_1", "ana@example.com")).toBe(true);
});
