import { expect, test } from "vitest";
import { paymentParts } from "./counts";

test.each([
  [{}, ""],
  [{ paid: 12, pending: 2 }, "12 paid, 2 not paid yet"],
  [{ paid: 11, pending: 2, partially_refunded: 1, abandoned: 1 }, "11 paid, 2 not paid yet, 1 partially refunded; 1 abandoned is not counted"],
  [{ failed: 1, abandoned: 2 }, "1 failed, 2 abandoned are not counted"],
])("entries by payment %o", (byStatus, expected) => {
  expect(paymentParts(byStatus)).toBe(expected);
});
