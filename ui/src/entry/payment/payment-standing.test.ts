import { expect, it } from "vitest";
import { standingOf } from "./payment-standing";

it("calls registered only what the entry says is paid", () => {
  expect(standingOf({ state: "paid", paymentStatus: "paid" })).toBe("registered");
  for (const paymentStatus of [null, "pending", "failed", "abandoned", "something new"]) {
    expect(standingOf({ state: "paid", paymentStatus }), String(paymentStatus)).toBe("held");
  }
  for (const paymentStatus of ["partially_refunded", "refunded", "disputed"]) {
    expect(standingOf({ state: "paid", paymentStatus })).toBe(paymentStatus);
  }
});

it("believes the state in everything else", () => {
  for (const state of ["held", "refunded", "processing", "unpaid", "cancelled"] as const) {
    for (const paymentStatus of [null, "pending", "paid"]) expect(standingOf({ state, paymentStatus })).toBe(state);
  }
});
