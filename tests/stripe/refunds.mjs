// Refunds and disputes of succeeded charges.

import { missing, refused } from "./failure.mjs";
import { find } from "./intents.mjs";
import { merge } from "./parameters.mjs";

const dollars = (cents) => `$${(cents / 100).toFixed(2)}`;

/** Refunds the requested amount, or all that is left. `status` is what the bank reports: succeeded, pending or failed. */
export function refund(world, values, status = "succeeded") {
  const charge = paidCharge(world, values.payment_intent);
  const left = charge.amount_captured - charge.amount_refunded;
  if ([...world.disputes.values()].some((one) => one.charge === charge.id && !one.is_charge_refundable)) throw refused({ code: "charge_disputed", message: `Charge ${charge.id} has been charged back; cannot issue a refund.` });
  if (left === 0) throw refused({ code: "charge_already_refunded", message: `Charge ${charge.id} has already been refunded.` });
  const amount = values.amount ?? left;
  if (amount > left) {
    const message = left === charge.amount_captured
      ? `Refund amount (${dollars(amount)}) is greater than charge amount (${dollars(left)})`
      : `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`;
    throw refused({ param: "amount", message });
  }
  const made = {
    id: world.id("re_3"), object: "refund", amount, balance_transaction: world.id("txn_3"), charge: charge.id, created: world.now(), currency: charge.currency,
    customer: null, customer_account: null, destination_details: { card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" }, type: "card" },
    metadata: merge({}, values.metadata), payment_intent: charge.payment_intent, payment_method: charge.payment_method, reason: values.reason ?? null,
    receipt_number: null, source_transfer_reversal: null, status: status === "failed" ? "pending" : status, transfer_reversal: null,
  };
  world.refunds.set(made.id, made);
  take(charge, amount);
  world.emit("refund.created", made);
  world.emit("charge.refunded", charge);
  return status === "failed" ? settleRefund(world, made.id, "failed") : made;
}

/** A pending refund succeeds or fails. Stripe sends `charge.refund.updated` for some payment methods only. */
export function settleRefund(world, id, status, isSelected = true) {
  const made = findRefund(world, id);
  if (made.status === status) return made;
  made.status = status;
  if (status === "failed") {
    made.failure_reason = "expired_or_canceled_card";
    take(world.charges.get(made.charge), -made.amount);
    world.emit("refund.failed", made);
  }
  world.emit("refund.updated", made);
  if (isSelected) world.emit("charge.refund.updated", made);
  return made;
}

export function findRefund(world, id) {
  const found = world.refunds.get(id);
  if (!found) throw missing("refund", id, "id");
  return found;
}

function take(charge, amount) {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
}

function paidCharge(world, id) {
  const intent = find(world, id, "payment_intent");
  const charge = world.charges.get(intent.latest_charge);
  if (charge?.status !== "succeeded") throw refused({ param: "payment_intent", message: `This PaymentIntent (${id}) does not have a successful charge to refund.` });
  return charge;
}

/** A cardholder disputes the charge, and the money is withdrawn at once. In an inquiry it is not, and can still be refunded. */
export function dispute(world, id, reason = "fraudulent", isInquiry = false) {
  const charge = paidCharge(world, id);
  if (charge.disputed) throw refused({ message: `Charge ${charge.id} is disputed already.` });
  charge.disputed = true;
  const made = {
    id: world.id("du_1"), object: "dispute", amount: charge.amount_captured - charge.amount_refunded, balance_transactions: [], charge: charge.id, created: world.now(),
    currency: charge.currency, enhanced_eligibility_types: [], evidence: { enhanced_evidence: {} }, evidence_details: { due_by: world.now() + 9 * 86_400, enhanced_eligibility: {}, has_evidence: false, past_due: false, submission_count: 0 },
    intended_submission_method: null, is_charge_refundable: isInquiry, livemode: charge.livemode, metadata: {}, payment_intent: charge.payment_intent,
    payment_method_details: { type: "card", card: { brand: "visa", case_type: isInquiry ? "inquiry" : "chargeback", network: "visa", network_reason_code: "10.4" } }, reason,
    status: isInquiry ? "warning_needs_response" : "needs_response",
  };
  world.disputes.set(made.id, made);
  world.emit("charge.dispute.created", made);
  if (!isInquiry) world.emit("charge.dispute.funds_withdrawn", made);
  return made;
}

/** An inquiry becomes a dispute: the money is withdrawn. */
export function escalate(world, id) {
  const made = openDispute(world, id, ["warning_needs_response"]);
  Object.assign(made, { status: "needs_response", is_charge_refundable: false });
  world.emit("charge.dispute.updated", made);
  world.emit("charge.dispute.funds_withdrawn", made);
  return made;
}

/** The dispute of an intent ends `won` (the money is back) or `lost`; an inquiry `warning_closed`. */
export function closeDispute(world, id, status) {
  const made = openDispute(world, id, status === "warning_closed" ? ["warning_needs_response"] : ["needs_response"]);
  made.status = status;
  if (status === "won") world.emit("charge.dispute.funds_reinstated", made);
  world.emit("charge.dispute.closed", made);
  return made;
}

function openDispute(world, id, statuses) {
  const made = [...world.disputes.values()].find((one) => one.payment_intent === id && statuses.includes(one.status));
  if (!made) throw refused({ message: `No dispute of '${id}' is ${statuses.join(" or ")}.` });
  return made;
}
