import type { PaymentStatus } from "../api";

/** The state of a payment, as the visitor is told. */
export type PaymentResult =
  /** The entry is paid. This is the only success. */
  | "registered"
  | "partially_refunded"
  | "refunded"
  | "disputed"
  /** Money has arrived that is not assigned to this entry, or not yet; an organiser looks into it. */
  | "held"
  | "processing"
  | "unpaid"
  | "cancelled"
  /** The organizer has let the entry take part without a payment. */
  | "complimentary";

/** A payment alone does not register anybody: the entry's own payment status decides. */
export function paymentResultOf({ state, paymentStatus }: Pick<PaymentStatus, "state" | "paymentStatus">): PaymentResult {
  if (paymentStatus === "complimentary" && state !== "held") return paymentStatus;
  if (state !== "paid") return state;
  switch (paymentStatus) {
    case "paid":
      return "registered";
    case "partially_refunded":
    case "refunded":
    case "disputed":
      return paymentStatus;
    default:
      return "held";
  }
}
