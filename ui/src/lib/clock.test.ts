import { afterEach, expect, test, vi } from "vitest";
import { serverNow } from "./clock";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the server's time is the browser's, moved by what the demo's page says", () => {
  vi.useFakeTimers({ now: 1_000_000 });
  expect(serverNow()).toBe(1_000_000);
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  expect(serverNow()).toBe(1_000_000);
  vi.stubGlobal("document", { documentElement: { dataset: { clockOffset: "-900000" } } });
  expect(serverNow()).toBe(100_000);
});
