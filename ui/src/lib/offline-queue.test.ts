import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { durabilities, kept } from "../../test/idb-keyval";
import { ApiError } from "./api-error";
import { OfflineQueue } from "./offline-queue";

vi.mock("idb-keyval", () => import("../../test/idb-keyval"));

interface Item { id: string; text: string }

function queueOf(send: () => Promise<void>): OfflineQueue<Item> {
  return new OfflineQueue<Item>({ name: "test", idOf: ({ id }) => id, send, onChange: () => {} });
}

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("keeps one record for each id, and the next page has them", async () => {
  const first = queueOf(async () => {});
  await first.put({ id: "a", text: "old" }, { id: "b", text: "gone" });
  await first.put({ id: "a", text: "new" });
  await first.forget(["b"]);
  const next = queueOf(async () => {});
  next.start()();
  await vi.advanceTimersByTimeAsync(0);
  expect(next.items()).toEqual([{ id: "a", text: "new" }]);
});

it("has it on the disk before it says that it is stored", async () => {
  durabilities.length = 0;
  await queueOf(async () => {}).put({ id: "a", text: "of a phone whose battery is empty now" });
  expect(durabilities).toEqual(["strict"]);
});

it("sends once more for all the calls while it is sending", async () => {
  let sent = 0;
  let release = () => {};
  const queue = queueOf(() => {
    sent += 1;
    return new Promise((settle) => (release = settle));
  });
  const running = queue.flush();
  await Promise.resolve();
  const calls = [queue.flush(), queue.flush(), queue.flush()];
  release();
  await running;
  await vi.waitFor(() => expect(sent).toBe(2));
  release();
  await Promise.all(calls);
  expect(sent).toBe(2);
});

it.each([
  ["a broken connection, with growing waits", () => new TypeError("Failed to fetch"), 3],
  ["a session that has ended, never", () => new ApiError(401, "", ""), 1],
  ["a server that asks to wait, not before", () => new ApiError(429, "", "", 60), 1],
] as const)("tries again after %s", async (_, error, tries) => {
  let sent = 0;
  const queue = queueOf(() => {
    sent += 1;
    return Promise.reject(error());
  });
  const stop = queue.start();
  // At 0, 2 and 6 seconds; the next try would be at 14.
  await vi.advanceTimersByTimeAsync(13_000);
  expect(sent).toBe(tries);
  stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sent, "nothing after its end").toBe(tries);
});
