import { expect, it } from "vitest";
import { centsOf } from "./cents";

it.each([["99", 9900], ["$1,099.50", 109_950], ["$ 1,234,567", 123_456_700], ["10,50", undefined], ["1,0000", undefined], ["1099,50", undefined], [",500", undefined], ["0.29", 29], ["19.99", 1999], ["99.999", undefined], ["-5", undefined], ["", undefined], ["ten", undefined]] as const)("reads %s as %s cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});
