// Payment intents and their charges: the states, and what may follow what.

import { missing, refused } from "./failure.mjs";
import { merge } from "./parameters.mjs";

const OPEN = ["requires_payment_method", "requires_confirmation", "requires_action"];
const DECLINED = "Your card was declined.";

export function create(world, values) {
  const id = world.id("pi_3");
  const methods = values["payment_method_types[]"] ?? ["card", "link", "cashapp"];
  const automatic = values["automatic_payment_methods[enabled]"] ?? !values["payment_method_types[]"];
  const intent = {
    id, object: "payment_intent", allowed_payment_method_types: null, amount: values.amount, amount_capturable: 0, amount_details: { tip: {} }, amount_received: 0,
    application: null, application_fee_amount: null,
    automatic_payment_methods: automatic ? { allow_redirects: values["automatic_payment_methods[allow_redirects]"] ?? "always", enabled: true } : null,
    canceled_at: null, cancellation_reason: null, capture_method: "automatic_async", client_secret: `${id}_secret_${world.random(25)}`,
    confirmation_method: "automatic", created: world.now(), currency: values.currency, customer: null, customer_account: null,
    description: values.description ?? null, excluded_payment_method_types: null, last_payment_error: null, latest_charge: null, livemode: world.livemode,
    managed_payments: null, metadata: merge({}, values.metadata), next_action: null, on_behalf_of: null, payment_method: null,
    payment_method_configuration_details: automatic ? { id: "pmc_1StandIn", parent: null } : null,
    payment_method_options: {}, payment_method_types: methods, payment_record: null, processing: null, receipt_email: values.receipt_email ?? null, review: null,
    setup_future_usage: null, shipping: null, source: null, statement_descriptor: null,
    statement_descriptor_suffix: values.statement_descriptor_suffix ?? null, status: "requires_payment_method", transfer_data: null, transfer_group: null,
  };
  world.intents.set(id, intent);
  world.emit("payment_intent.created", intent);
  return intent;
}

export function find(world, id, param = "intent") {
  const intent = world.intents.get(id);
  if (!intent) throw missing("payment_intent", id, param);
  return intent;
}

/** Amount, currency and receipt only while it is open; description and metadata at any time. */
export function update(world, id, values) {
  const intent = find(world, id);
  const money = ["amount", "currency", "receipt_email", "statement_descriptor_suffix"].filter((name) => name in values);
  for (const name of money) {
    if (!OPEN.includes(intent.status)) {
      throw unexpected(intent, `This PaymentIntent's ${name} could not be updated because it has a status of ${intent.status}. You may only update the ${name} of a PaymentIntent with one of the following statuses: ${OPEN.join(", ")}.`);
    }
    intent[name] = values[name];
  }
  if ("description" in values) intent.description = values.description;
  if (values.metadata) intent.metadata = merge(intent.metadata, values.metadata);
  return intent;
}

export function cancel(world, id, values) {
  const intent = find(world, id);
  // Stripe cancels a processing payment only in rare cases; the stand-in never does.
  if (!OPEN.includes(intent.status)) {
    throw unexpected(intent, `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`);
  }
  Object.assign(intent, { status: "canceled", canceled_at: world.now(), cancellation_reason: values.cancellation_reason ?? null, next_action: null });
  world.emit("payment_intent.canceled", intent);
  return intent;
}

const unexpected = (intent, message) => refused({ code: "payment_intent_unexpected_state", message, payment_intent: structuredClone(intent) });

/** Somebody confirms with a card: `succeed`, `decline`, `processing` or `requires_action`. */
export function pay(world, id, outcome) {
  const intent = find(world, id);
  if (!OPEN.includes(intent.status)) {
    throw unexpected(intent, `You cannot confirm this PaymentIntent because it has already ${intent.status === "canceled" ? "been canceled" : intent.status} after being previously confirmed.`);
  }
  Object.assign(intent, { payment_method: world.id("pm_1"), last_payment_error: null, next_action: null });
  if (outcome === "requires_action") {
    intent.status = "requires_action";
    intent.next_action = { type: "redirect_to_url", redirect_to_url: { return_url: null, url: `${world.origin}/control/authorize?payment_intent=${id}` } };
    world.emit("payment_intent.requires_action", intent);
    return intent;
  }
  if (outcome === "processing") {
    Object.assign(intent, { status: "processing", processing: { type: "card" }, latest_charge: charge(world, intent, "pending").id });
    world.emit("payment_intent.processing", intent);
    return intent;
  }
  return finish(world, intent, outcome);
}

/** Ends a payment that is processing or waits for the person to confirm it at the bank. */
export function settle(world, id, outcome) {
  const intent = find(world, id);
  if (!["processing", "requires_action"].includes(intent.status)) throw refused({ message: `The intent is ${intent.status}: nothing is to settle.` });
  return finish(world, intent, outcome);
}

function finish(world, intent, outcome) {
  if (!["succeed", "decline"].includes(outcome)) throw refused({ message: `Unknown outcome '${outcome}': succeed, decline, processing or requires_action.` });
  const known = world.charges.get(intent.latest_charge);
  const current = known?.status === "pending" ? known : charge(world, intent, "pending");
  Object.assign(intent, { next_action: null, processing: null, latest_charge: current.id });
  if (outcome === "succeed") {
    Object.assign(current, { status: "succeeded", paid: true, captured: true, amount_captured: current.amount, balance_transaction: world.id("txn_3") });
    Object.assign(intent, { status: "succeeded", amount_received: intent.amount, last_payment_error: null });
    world.emit("charge.succeeded", current);
    world.emit("payment_intent.succeeded", intent);
  } else {
    Object.assign(current, { status: "failed", paid: false, failure_code: "card_declined", failure_message: DECLINED });
    const error = { charge: current.id, code: "card_declined", decline_code: "generic_decline", doc_url: "https://stripe.com/docs/error-codes/card-declined", message: DECLINED, type: "card_error" };
    Object.assign(intent, { status: "requires_payment_method", payment_method: null, last_payment_error: error });
    world.emit("charge.failed", current);
    world.emit("payment_intent.payment_failed", intent);
  }
  return intent;
}

function charge(world, intent, status) {
  const made = {
    id: world.id("ch_3"), object: "charge", amount: intent.amount, amount_captured: 0, amount_refunded: 0, application: null, application_fee: null,
    application_fee_amount: null, balance_transaction: null,
    billing_details: { address: { city: null, country: "US", line1: null, line2: null, postal_code: "07302", state: null }, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: "STANDIN", captured: false, created: world.now(), currency: intent.currency, customer: null, description: intent.description,
    disputed: false, failure_balance_transaction: null, failure_code: null, failure_message: null, fraud_details: {}, livemode: intent.livemode,
    metadata: { ...intent.metadata }, on_behalf_of: null, outcome: null, paid: false, payment_intent: intent.id, payment_method: intent.payment_method,
    payment_method_details: { type: "card", card: { brand: "visa", last4: "4242", funding: "credit", country: "US", exp_month: 12, exp_year: 2034 } },
    receipt_email: intent.receipt_email, receipt_number: null, receipt_url: null, refunded: false, review: null, shipping: null, source: null,
    source_transfer: null, statement_descriptor: null, statement_descriptor_suffix: intent.statement_descriptor_suffix, status, transfer_data: null, transfer_group: null,
  };
  world.charges.set(made.id, made);
  return made;
}
