import { expect, it } from "vitest";
import { clockTime, longDay, shortDay, versionDate } from "./dates";

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
