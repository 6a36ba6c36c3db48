import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { start } from "../../tests/stripe/stand-in.mjs";
import { signature } from "../../tests/stripe/webhooks.mjs";

// Checks the stand-in, on which every payment test relies, with Stripe's own SDK.

let standIn: Awaited<ReturnType<typeof start>>;
let stripe: Stripe;

function sdk(key: string, more: object = {}): Stripe {
  const { hostname, port } = new URL(standIn.origin);
  return new Stripe(key, { host: hostname, port, protocol: "http", maxNetworkRetries: 0, telemetry: false, ...more });
}

beforeAll(async () => {
  standIn = await start();
  stripe = sdk(standIn.secretKey);
});
afterAll(() => standIn.stop());
beforeEach(() => standIn.control("faults", undefined, "DELETE"));

// The parameters that src/payments/provider sends. The SDK's types check their names and values.
const entry = {
  amount: 48_492, currency: "usd", automatic_payment_methods: { enabled: true }, description: "Competition entry 7", receipt_email: "ada@example.com",
  metadata: { entry: "7" }, statement_descriptor_suffix: "ENTRY 7",
} satisfies Stripe.PaymentIntentCreateParams;

const paid = async () => {
  const intent = await stripe.paymentIntents.create(entry);
  await standIn.control("pay", { payment_intent: intent.id });
  return intent.id;
};
/** The SDK's error for a refused request. */
const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => undefined, (thrown: unknown) => thrown);
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`not refused as Stripe refuses: ${String(error)}`);
  const { type, statusCode: status, code, param } = error;
  return { type, status, code, param };
};
const invalid = (code: string | undefined, param?: string, status = 400) => ({ type: "StripeInvalidRequestError", status, code, param });

describe("the SDK pointed at the stand-in", () => {
  it("creates, retrieves, changes and cancels an intent", async () => {
    const intent = await stripe.paymentIntents.create(entry);
    expect(intent).toMatchObject({ object: "payment_intent", amount: 48_492, amount_received: 0, currency: "usd", status: "requires_payment_method", livemode: false, metadata: { entry: "7" }, latest_charge: null });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
    const changed = await stripe.paymentIntents.update(intent.id, { amount: 58_225, metadata: { entry: "", again: "8" } });
    expect(changed).toMatchObject({ id: intent.id, amount: 58_225, metadata: { again: "8" }, client_secret: intent.client_secret });
    const cancelled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: "abandoned" });
    expect(cancelled).toMatchObject({ status: "canceled", cancellation_reason: "abandoned" });
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: "canceled" });
    expect(await refusal(stripe.paymentIntents.update(intent.id, { amount: 60_000 }))).toEqual(invalid("payment_intent_unexpected_state"));
  });

  it("follows the states of a payment", async () => {
    const { id } = await stripe.paymentIntents.create(entry);
    await standIn.control("pay", { payment_intent: id, outcome: "decline" });
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_payment_method", last_payment_error: { type: "card_error", code: "card_declined" } });
    await standIn.control("pay", { payment_intent: id, outcome: "requires_action" });
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_action", next_action: { type: "redirect_to_url" }, last_payment_error: null });
    await standIn.control("settle", { payment_intent: id, outcome: "decline" });
    await standIn.control("pay", { payment_intent: id, outcome: "processing" });
    for (const change of [stripe.paymentIntents.update(id, { amount: 50_000 }), stripe.paymentIntents.cancel(id)]) {
      expect(await refusal(change)).toEqual(invalid("payment_intent_unexpected_state"));
    }
    await standIn.control("settle", { payment_intent: id });
    const succeeded = await stripe.paymentIntents.retrieve(id);
    expect(succeeded).toMatchObject({ status: "succeeded", amount_received: 48_492, processing: null });
    expect(await stripe.charges.retrieve(String(succeeded.latest_charge))).toMatchObject({ paid: true, payment_intent: id, amount_captured: 48_492 });
    expect(await refusal(stripe.paymentIntents.cancel(id))).toEqual(invalid("payment_intent_unexpected_state"));
    expect(await stripe.paymentIntents.update(id, { metadata: { note: "late" } })).toMatchObject({ metadata: { entry: "7", note: "late" } });
  });

  it("refunds what is left and nothing more", async () => {
    const id = await paid();
    const part = await stripe.refunds.create({ payment_intent: id, amount: 10_000, reason: "requested_by_customer", metadata: { by: "ada" } });
    expect(part).toMatchObject({ object: "refund", amount: 10_000, status: "succeeded", payment_intent: id, metadata: { by: "ada" } });
    expect(await refusal(stripe.refunds.create({ payment_intent: id, amount: 38_493 }))).toEqual(invalid(undefined, "amount"));
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 38_492 });
    expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toEqual(invalid("charge_already_refunded"));
    const { data } = await stripe.refunds.list({ payment_intent: id, limit: 100 });
    expect(data.map(({ amount }) => amount)).toEqual([38_492, 10_000]);
    const open = await stripe.paymentIntents.create(entry);
    expect(await refusal(stripe.refunds.create({ payment_intent: open.id }))).toEqual(invalid(undefined, "payment_intent"));
  });

  it("lists page by page, intents and events", async () => {
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push((await stripe.paymentIntents.create({ ...entry, metadata: { n } })).id);
    const listed: string[] = [];
    for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) if (listed.push(id) === 5) break;
    expect(listed).toEqual([...made].reverse());
    expect((await stripe.paymentIntents.list({ created: { gte: Math.floor(Date.now() / 1000) + 60 } })).data).toEqual([]);
    const { data: [latest] } = await stripe.events.list({ types: ["payment_intent.created"], limit: 1 });
    expect(latest).toMatchObject({ object: "event", type: "payment_intent.created", data: { object: { id: made[4] } } });
    const { data: [expanded] } = await stripe.paymentIntents.list({ limit: 1, expand: ["data.latest_charge"] });
    expect(expanded).toMatchObject({ id: made[4], latest_charge: null });
    const expand = ["latest_charge"];
    const id = await paid();
    expect(await stripe.paymentIntents.retrieve(id, { expand })).toMatchObject({ latest_charge: { object: "charge", amount_refunded: 0, refunded: false, disputed: false } });
    await stripe.refunds.create({ payment_intent: id, amount: 100 });
    expect(await stripe.paymentIntents.retrieve(id, { expand })).toMatchObject({ latest_charge: { amount_refunded: 100, refunded: false } });
    await standIn.control("dispute", { payment_intent: id });
    expect(await stripe.paymentIntents.retrieve(id, { expand })).toMatchObject({ latest_charge: { disputed: true } });
    expect(await refusal(stripe.paymentIntents.list({ expand: ["data.review"] }))).toEqual(invalid("parameter_invalid", "expand"));
    expect(await stripe.balance.retrieve()).toMatchObject({ object: "balance", livemode: false });
  });

  it("refuses what Stripe refuses", async () => {
    const { currency, ...without } = entry;
    expect(currency).toBe("usd");
    const wrong: [object, ReturnType<typeof invalid>][] = [
      [{ ...entry, colour: "mauve" }, invalid("parameter_unknown", "colour")],
      [without, invalid("parameter_missing", "currency")],
      [{ ...entry, amount: 49 }, invalid("amount_too_small", "amount")],
      [{ ...entry, amount: 484.92 }, invalid("parameter_invalid_integer", "amount")],
      [{ ...entry, currency: "" }, invalid("parameter_invalid_empty", "currency")],
      [{ ...entry, metadata: { ["k".repeat(41)]: "v" } }, invalid("parameter_invalid", `metadata[${"k".repeat(41)}]`)],
      [{ ...entry, statement_descriptor: "SHOWCASE" }, invalid("parameter_invalid", "statement_descriptor")],
    ];
    for (const [parameters, expected] of wrong) {
      expect(await refusal(stripe.paymentIntents.create(parameters as Stripe.PaymentIntentCreateParams))).toEqual(expected);
    }
    expect(await refusal(stripe.paymentIntents.retrieve("pi_nobody"))).toEqual(invalid("resource_missing", "intent", 404));
    expect(await refusal(sdk("sk_test_wrong").balance.retrieve())).toMatchObject({ type: "StripeAuthenticationError", status: 401 });
    const basic = await fetch(`${standIn.origin}/v1/balance`, { headers: { authorization: `Basic ${Buffer.from(`${standIn.secretKey}:`).toString("base64")}`, "stripe-version": "2026-09-30.endive" } });
    expect([basic.status, basic.headers.get("stripe-version")]).toEqual([200, "2026-09-30.endive"]);
  });

  it("repeats its answer for a repeated key, and refuses another request with that key", async () => {
    const idempotencyKey = "fill-1";
    const first = await stripe.paymentIntents.create(entry, { idempotencyKey });
    const second = await stripe.paymentIntents.create(entry, { idempotencyKey });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers["idempotent-replayed"]).toBe("true");
    expect(await refusal(stripe.paymentIntents.create({ ...entry, amount: 50_000 }, { idempotencyKey }))).toMatchObject({ type: "StripeIdempotencyError", status: 400 });
    // A request that fails validation is not stored, so the corrected one can use the same key.
    await refusal(stripe.paymentIntents.create({ ...entry, amount: 1 }, { idempotencyKey: "fill-2" }));
    expect(await stripe.paymentIntents.create(entry, { idempotencyKey: "fill-2" })).toMatchObject({ amount: 48_492 });
    await standIn.control("faults", { kind: "hold" });
    const slow = stripe.paymentIntents.create(entry, { idempotencyKey: "fill-3" });
    await expect.poll(async () => (await standIn.control("requests")).at(-1).fault).toBe("hold before");
    expect(await refusal(stripe.paymentIntents.create(entry, { idempotencyKey: "fill-3" }))).toMatchObject({ status: 409, code: "idempotency_key_in_use" });
    await standIn.control("faults", undefined, "DELETE");
    expect((await slow).amount).toBe(48_492);
  });
});

describe("the stand-in's webhooks", () => {
  const { webhooks } = Stripe;
  const secret = "whsec_stand_in";
  const now = () => Math.floor(Date.now() / 1000);
  const payload = JSON.stringify({ id: "evt_1", object: "event", text: "ä €" });

  it("are signed as the SDK signs", () => {
    const timestamp = now();
    expect(signature(payload, secret, timestamp)).toBe(webhooks.generateTestHeaderString({ payload, secret, timestamp }));
    expect(signature(payload, secret, 7)).toBe(`t=7,v1=${createHmac("sha256", secret).update(`7.${payload}`).digest("hex")}`);
    expect(webhooks.constructEvent(payload, signature(payload, secret, timestamp), secret).id).toBe("evt_1");
  });

  it("arrive once for each change, can be forged and aged, and the SDK accepts only genuine ones", async () => {
    const taken: string[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      try {
        taken.push(webhooks.constructEvent(Buffer.concat(parts), String(request.headers["stripe-signature"]), secret).type);
        response.writeHead(200).end();
      } catch {
        response.writeHead(400).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    try {
      await standIn.control("target", { url });
      const id = await paid();
      await stripe.refunds.create({ payment_intent: id, amount: 100 });
      await standIn.control("dispute", { payment_intent: id });
      await standIn.control("dispute-close", { payment_intent: id, status: "won" });
      await standIn.control("idle", {});
      expect([...taken].sort()).toEqual([
        "charge.dispute.closed", "charge.dispute.created", "charge.dispute.funds_reinstated", "charge.dispute.funds_withdrawn", "charge.refunded", "charge.succeeded",
        "payment_intent.created", "payment_intent.succeeded", "refund.created",
      ]);

      const event = (await standIn.control("events")).at(-1).id;
      const status = async (how: object) => (await standIn.control("deliver", { event, url, ...how }))[0].status;
      expect([await status({}), await status({ forge: true }), await status({ age_seconds: 301 }), await status({ secret: "whsec_other" })]).toEqual([200, 400, 400, 400]);
    } finally {
      await standIn.control("target", { url: null });
      server.closeAllConnections();
      server.close();
    }
  });
});
