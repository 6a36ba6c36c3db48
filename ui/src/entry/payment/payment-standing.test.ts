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

it("calls an entry complimentary whatever became of its payment, unless money is held", () => {
  for (const state of ["cancelled", "unpaid", "refunded"] as const) expect(standingOf({ state, paymentStatus: "complimentary" }), state).toBe("complimentary");
  expect(standingOf({ state: "held", paymentStatus: "complimentary" })).toBe("held");
});

it("believes the state in everything else", () => {
  for (const state of ["held", "refunded", "processing", "unpaid", "cancelled"] as const) {
    for (const paymentStatus of [null, "pending", "paid"]) expect(standingOf({ state, paymentStatus })).toBe(state);
  }
});
