// The endpoints of Stripe's API that Showcase calls, each with the parameters it may send.

import { invalid, missing } from "./failure.mjs";
import { cancel, create, find, update } from "./intents.mjs";
import * as is from "./parameters.mjs";
import { findRefund, refund } from "./refunds.mjs";
import { page } from "./world.mjs";

const commonRules = {
  description: is.text(1000), receipt_email: is.email, metadata: is.metadata, "expand[]": is.text(100),
  statement_descriptor: is.noDescriptor, statement_descriptor_suffix: is.descriptorSuffix,
};
const listRules = {
  limit: (value, name) => {
    const limit = is.integer(value, name);
    if (limit < 1 || limit > 100) throw invalid("parameter_invalid_integer", name, "This value must be between 1 and 100 (inclusive).");
    return limit;
  },
  starting_after: is.text(100), "created[gte]": is.integer, "created[lte]": is.integer, "expand[]": is.text(100),
};
const expandRules = { "expand[]": is.text(100) };

/** `handle(world, id, values)`; `id` is the value of `:id` in the path. */
const endpoints = [
  {
    method: "POST", path: "/v1/payment_intents", handle: (world, _id, values) => create(world, values),
    rules: {
      ...commonRules, amount: is.required(is.amount), currency: is.required(is.currency), "automatic_payment_methods[enabled]": is.boolean,
      "automatic_payment_methods[allow_redirects]": is.oneOf("always", "never"), "payment_method_types[]": is.oneOf("card", "link", "us_bank_account", "cashapp"),
    },
    together: (values) => {
      if (values["automatic_payment_methods[enabled]"] && values["payment_method_types[]"]) {
        throw invalid("parameter_invalid", "payment_method_types", "You may only specify one of these parameters: automatic_payment_methods, payment_method_types.");
      }
    },
  },
  { method: "GET", path: "/v1/payment_intents", handle: (world, _id, values) => list(world.intents.values(), "/v1/payment_intents", values, "payment_intent"), rules: listRules },
  { method: "GET", path: "/v1/payment_intents/:id", handle: (world, id) => find(world, id), rules: { ...expandRules, client_secret: is.text(200) } },
  { method: "POST", path: "/v1/payment_intents/:id", handle: update, rules: { ...commonRules, amount: is.amount, currency: is.currency } },
  {
    method: "POST", path: "/v1/payment_intents/:id/cancel", handle: cancel,
    rules: { ...expandRules, cancellation_reason: is.oneOf("duplicate", "fraudulent", "requested_by_customer", "abandoned") },
  },
  {
    method: "POST", path: "/v1/refunds", handle: (world, _id, values) => refund(world, values, world.refundStatus),
    rules: {
      ...expandRules, payment_intent: is.required(is.text(100)), amount: is.positive, metadata: is.metadata,
      reason: is.oneOf("duplicate", "fraudulent", "requested_by_customer"),
    },
  },
  {
    method: "GET", path: "/v1/refunds", rules: { ...listRules, payment_intent: is.text(100), charge: is.text(100) },
    handle: (world, _id, values) => {
      const wanted = (one) => (!values.payment_intent || one.payment_intent === values.payment_intent) && (!values.charge || one.charge === values.charge);
      return list([...world.refunds.values()].filter(wanted), "/v1/refunds", values, "refund");
    },
  },
  { method: "GET", path: "/v1/refunds/:id", handle: findRefund, rules: expandRules },
  {
    method: "GET", path: "/v1/charges/:id", rules: expandRules, handle: (world, id) => {
      if (!world.charges.has(id)) throw missing("charge", id, "id");
      return world.charges.get(id);
    },
  },
  {
    method: "GET", path: "/v1/disputes", rules: { ...listRules, payment_intent: is.text(100) },
    handle: (world, _id, values) => list([...world.disputes.values()].filter((one) => !values.payment_intent || one.payment_intent === values.payment_intent), "/v1/disputes", values, "dispute"),
  },
  {
    method: "GET", path: "/v1/events", rules: { ...listRules, type: is.text(100), "types[]": is.text(100) },
    handle: (world, _id, values) => {
      const types = values["types[]"] ?? (values.type ? [values.type] : undefined);
      return list(world.events.filter(({ type }) => !types || types.includes(type)), "/v1/events", values, "event");
    },
  },
  { method: "GET", path: "/v1/balance", rules: expandRules, handle: (world) => ({ object: "balance", available: [{ amount: 0, currency: "usd", source_types: { card: 0 } }], livemode: world.livemode, pending: [{ amount: 0, currency: "usd", source_types: { card: 0 } }] }) },
  {
    method: "GET", path: "/v1/account", rules: expandRules,
    handle: () => ({ id: "acct_1StandIn", object: "account", charges_enabled: true, country: "US", default_currency: "usd", details_submitted: true, email: "office@example.com", payouts_enabled: true, type: "standard", settings: { dashboard: { display_name: "Stand-in", timezone: "America/New_York" } } }),
  },
];

/** The answer with the one thing in it that can be expanded here: the charge of an intent. */
export function expanded(world, answer, wanted = []) {
  for (const path of wanted) {
    const intents = path === "latest_charge" ? [answer] : path === "data.latest_charge" ? answer.data : undefined;
    if (!intents?.every(({ object }) => object === "payment_intent")) throw invalid("parameter_invalid", "expand", `This property cannot be expanded (${path}).`);
    for (const intent of intents) intent.latest_charge = structuredClone(world.charges.get(intent.latest_charge) ?? null);
  }
  return answer;
}

const list = (all, url, values, kind) => page(all, url, values, (id) => missing(kind, id, "starting_after"));

/** The endpoint of a request and the id in its path. */
export function endpointOf(method, path) {
  for (const endpoint of endpoints) {
    if (endpoint.method !== method) continue;
    const parts = endpoint.path.split("/");
    const given = path.split("/");
    if (parts.length !== given.length) continue;
    if (parts.every((part, n) => part === ":id" ? given[n] !== "" : part === given[n])) {
      return { ...endpoint, id: decodeURIComponent(given[parts.indexOf(":id")] ?? "") };
    }
  }
  return undefined;
}
