import { expect, it } from "vitest";
import { paymentResultOf } from "./use-entry-payment";

it("calls registered only what the entry says is paid", () => {
  expect(paymentResultOf({ state: "paid", paymentStatus: "paid" })).toBe("registered");
  for (const paymentStatus of [null, "pending", "failed", "abandoned", "something new"]) {
    expect(paymentResultOf({ state: "paid", paymentStatus }), String(paymentStatus)).toBe("held");
  }
  for (const paymentStatus of ["partially_refunded", "refunded", "disputed"]) {
    expect(paymentResultOf({ state: "paid", paymentStatus })).toBe(paymentStatus);
  }
});

it("calls an entry complimentary whatever became of its payment, unless money is held", () => {
  for (const state of ["cancelled", "unpaid", "refunded"] as const) expect(paymentResultOf({ state, paymentStatus: "complimentary" }), state).toBe("complimentary");
  expect(paymentResultOf({ state: "held", paymentStatus: "complimentary" })).toBe("held");
});

it("believes the state in everything else", () => {
  for (const state of ["held", "refunded", "processing", "unpaid", "cancelled"] as const) {
    for (const paymentStatus of [null, "pending", "paid"]) expect(paymentResultOf({ state, paymentStatus })).toBe(state);
  }
});
