import { expect, it } from "vitest";
import { clockTime, longDay, shortDay } from "./clock";

it.each([["09:30", "9:30 AM"], ["00:05", "12:05 AM"], ["12:00", "12:00 PM"], ["20:00", "8:00 PM"]])("reads %s as %s", (time, text) => {
  expect(clockTime(time)).toBe(text);
});

it("names days", () => {
  expect(longDay("2026-03-28")).toBe("Saturday, March 28");
  expect(shortDay("2026-03-29")).toBe("March 29");
});
