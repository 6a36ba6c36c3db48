import { expect, it } from "vitest";
import { centsOf } from "./cents";

it.each([["99", 9900], ["$1,099.50", 109_950], ["0.29", 29], ["19.99", 1999], ["99.999", undefined], ["-5", undefined], ["", undefined], ["ten", undefined]] as const)("reads %s as %s cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});
