import { expect, it, afterEach, test, vi } from "vitest";
import { clockTime, longDay, shortDay, versionDate, serverNow } from "./clock";

it.each([["09:30", "9:30 AM"], ["00:05", "12:05 AM"], ["12:00", "12:00 PM"], ["20:00", "8:00 PM"]])("reads %s as %s", (time, text) => {
  expect(clockTime(time)).toBe(text);
});

it("writes a version that is a date as people do", () => {
  expect(versionDate("2025-09-01")).toBe("September 1, 2025");
  expect(versionDate("2.1")).toBe("2.1");
});

it("names days", () => {
  expect(longDay("2026-03-28")).toBe("Saturday, March 28");
  expect(shortDay("2026-03-29")).toBe("March 29");
});

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
