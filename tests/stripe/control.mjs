// The tests' control API: simulates what people, banks and the network do. JSON in, JSON out, any origin.

import { addFault, clearFaults } from "./faults.mjs";
import { Refusal } from "./failure.mjs";
import { cancel, find, pay, settle } from "./intents.mjs";
import { closeDispute, dispute, escalate, refund, settleRefund } from "./refunds.mjs";

const intentOf = (world, { payment_intent: id, client_secret: secret }) => {
  if (id) return find(world, id);
  const found = [...world.intents.values()].find((intent) => intent.client_secret === secret);
  if (!found) throw new Refusal(404, { code: "resource_missing", message: `No such payment_intent with the secret '${secret}'` });
  return found;
};

const actions = {
  /** {payment_intent or client_secret, outcome: succeed|decline|processing|requires_action, silent?}; silent sends no webhook. */
  "POST pay": (world, body) => world.webhooks.silently(body.silent, () => pay(world, intentOf(world, body).id, body.outcome ?? "succeed")),
  /** {payment_intent, outcome: succeed|decline, silent?}: ends a payment that is processing or waits for the bank's page. */
  "POST settle": (world, body) => world.webhooks.silently(body.silent, () => settle(world, intentOf(world, body).id, body.outcome ?? "succeed")),
  /** {payment_intent, silent?}: cancelled in the dashboard. */
  "POST cancel": (world, body) => world.webhooks.silently(body.silent, () => cancel(world, intentOf(world, body).id, {})),
  /** {payment_intent, amount?, status?: succeeded|pending|failed, silent?}: a refund made in the dashboard. */
  "POST refund": (world, body) => world.webhooks.silently(body.silent, () => refund(world, body, body.status)),
  /** {status}: what the bank reports of the refunds that are asked for from now on. */
  "POST refund-status": (world, body) => void (world.refundStatus = body.status),
  /** {refund, status: succeeded|failed, is_selected?, silent?} */
  "POST refund-settle": (world, body) => world.webhooks.silently(body.silent, () => settleRefund(world, body.refund, body.status, body.is_selected)),
  /** {payment_intent, reason?, inquiry?, silent?} */
  "POST dispute": (world, body) => world.webhooks.silently(body.silent, () => dispute(world, body.payment_intent, body.reason, body.inquiry)),
  /** {payment_intent, silent?}: an inquiry becomes a dispute. */
  "POST dispute-escalate": (world, body) => world.webhooks.silently(body.silent, () => escalate(world, body.payment_intent)),
  /** {payment_intent, status: won|lost|warning_closed, silent?} */
  "POST dispute-close": (world, body) => world.webhooks.silently(body.silent, () => closeDispute(world, body.payment_intent, body.status)),
  /** {payment_intent, changes}: changes an intent in ways that the API does not allow, such as another currency. */
  "POST edit": (world, body) => Object.assign(intentOf(world, body), body.changes),
  /** {client_secret, publishable_key, outcome, return_url}: what Stripe.js asks for when a person presses the button. */
  "POST confirm": confirm,

  "POST faults": (world, body) => addFault(world, body),
  "DELETE faults": (world) => clearFaults(world),
  /** {milliseconds}: every answer of the API takes this long. */
  "POST latency": (world, body) => void (world.latency = body.milliseconds),
  /** {offset_seconds}: shifts the stand-in's clock. */
  "POST clock": (world, body) => void (world.offsetSeconds = body.offset_seconds),

  /** {url, secret?, types?, hold?}: where events go by themselves; hold keeps them until `release`. */
  "POST target": (world, body) => void (world.webhooks.target = body.url ? body : null),
  /** {order?: made|reverse, times?} */
  "POST release": (world, body) => world.webhooks.release(body),
  /** {event, times?, forge?, age_seconds?, livemode?, secret?, url?}: sends one event, `times` times in a row. */
  "POST deliver": async (world, body) => {
    const event = world.events.find(({ id }) => id === body.event);
    if (!event) throw new Refusal(404, { message: `No event '${body.event}'` });
    const done = [];
    for (let n = 0; n < (body.times ?? 1); n += 1) done.push(await world.webhooks.start(event, body));
    return done;
  },
  "POST redeliver": (world) => world.webhooks.redeliver(),
  /** {events: [id…], per_second?, times?} */
  "POST storm": (world, body) => world.webhooks.storm(body),
  /** Answers once no delivery is under way. */
  "POST idle": (world) => world.webhooks.idle(),

  "GET requests": (world) => world.requests,
  "GET events": (world) => world.events,
  "GET deliveries": (world) => world.webhooks.deliveries,
  "GET state": (world) => Object.fromEntries(["intents", "charges", "refunds", "disputes"].map((name) => [name, [...world[name].values()]])),
};

function confirm(world, body) {
  if (body.publishable_key !== world.publishableKey) return { error: { type: "invalid_request_error", message: `Invalid API Key provided: ${body.publishable_key}` } };
  try {
    const intent = pay(world, intentOf(world, body).id, body.outcome ?? "succeed");
    if (intent.next_action) {
      intent.next_action.redirect_to_url.return_url = body.return_url;
      intent.next_action.redirect_to_url.url += `&return_url=${encodeURIComponent(body.return_url)}`;
    }
    return intent.last_payment_error ? { error: { ...intent.last_payment_error, payment_intent: intent } } : { paymentIntent: intent };
  } catch (error) {
    if (error instanceof Refusal) return error.body;
    throw error;
  }
}

/** `GET authorize?payment_intent=&return_url=&outcome=`: the bank's page, which sends the person back at once. */
function authorize(world, query) {
  const intent = find(world, query.get("payment_intent"));
  if (intent.status === "requires_action") settle(world, intent.id, query.get("outcome") ?? "succeed");
  const back = new URL(query.get("return_url"));
  back.searchParams.set("payment_intent", intent.id);
  back.searchParams.set("payment_intent_client_secret", intent.client_secret);
  back.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
  return back.href;
}

export async function control(world, incoming, response) {
  const name = incoming.path.slice("/control/".length);
  const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type", "access-control-allow-methods": "GET, POST, DELETE" };
  const reply = (status, body) => response.writeHead(status, { "content-type": "application/json", ...cors }).end(JSON.stringify(body ?? null));
  if (incoming.method === "OPTIONS") return response.writeHead(204, cors).end();
  try {
    if (incoming.method === "GET" && name === "authorize") {
      return response.writeHead(302, { location: authorize(world, new URLSearchParams(incoming.query)) }).end();
    }
    const action = actions[`${incoming.method} ${name}`];
    if (!action) return reply(404, { error: { message: `No such control: ${incoming.method} ${name}` } });
    return reply(200, await action(world, incoming.body ? JSON.parse(incoming.body) : {}));
  } catch (error) {
    return reply(error instanceof Refusal ? error.status : 400, error instanceof Refusal ? error.body : { error: { message: String(error) } });
  }
}
