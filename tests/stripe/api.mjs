// Stripe's side of a request: key, faults, idempotency, work, answer.

import { decode, check } from "./parameters.mjs";
import { endpointOf, expanded } from "./endpoints.mjs";
import { takeFault, suffer } from "./faults.mjs";
import { Refusal, invalid, noKey, unknownPath, wrongKey } from "./failure.mjs";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Answers one request to `/v1/…`; `incoming` is `{method, path, query, headers, body, socket}`. */
export async function answer(world, incoming, response) {
  const request = {
    id: world.id("req_"), method: incoming.method, path: incoming.path, query: incoming.query, body: incoming.body, at: world.now(),
    idempotency_key: incoming.headers["idempotency-key"] ?? null, version: incoming.headers["stripe-version"] ?? null, status: null, replayed: false, fault: null,
  };
  world.requests.push(request);
  if (world.latency > 0) await wait(world.latency);
  const fault = takeFault(world, request);
  let outcome;
  try {
    outcome = await underKey(world, request, incoming, () => perform(world, request, incoming, fault));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    outcome = { status: error.status, body: error.body };
  }
  if (outcome.closed || response.destroyed) return response.destroy();
  request.status = outcome.status;
  const text = JSON.stringify(outcome.body, null, 2);
  response.writeHead(outcome.status, {
    "content-type": "application/json", "content-length": Buffer.byteLength(text), "request-id": request.id, "stripe-version": request.version ?? world.version,
    ...(request.idempotency_key && { "idempotency-key": request.idempotency_key }),
    ...(outcome.replayed && { "idempotent-replayed": "true", "original-request": outcome.original }),
    ...(outcome.retryAfter !== undefined && { "retry-after": String(outcome.retryAfter) }),
    ...(outcome.status >= 500 && { "stripe-should-retry": "true" }),
  });
  response.end(text);
}

/** One execution a key: what it answered is kept, once it had begun, and answered again. */
async function underKey(world, request, incoming, work) {
  authorise(world, incoming.headers.authorization);
  const key = request.method === "POST" ? request.idempotency_key : null;
  if (key === null) return work();
  if (key === "" || key.length > 255) throw invalid("idempotency_key_invalid", undefined, "Idempotency keys must be between 1 and 255 characters long.");
  const print = JSON.stringify([request.method, request.path, decode(incoming.body).sort()]);
  const known = world.keys.get(key);
  if (known?.underWay) {
    throw new Refusal(409, { type: "idempotency_error", code: "idempotency_key_in_use", message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.` });
  }
  if (known && known.print !== print) {
    throw new Refusal(400, { type: "idempotency_error", message: `This key can only be used with the same parameters it was first used with. Try using a key other than '${key}' if you meant to execute a different request.` });
  }
  if (known) {
    request.replayed = true;
    return { ...known.kept, replayed: true, original: known.request };
  }
  world.keys.set(key, { underWay: true });
  try {
    return await work();
  } finally {
    if (request.kept) world.keys.set(key, { print, kept: request.kept, request: request.id });
    else world.keys.delete(key);
  }
}

/** Handles the request, with the faults that are due. The answer to store under an idempotency key goes to `request.kept`. */
async function perform(world, request, incoming, fault) {
  const early = await suffer(fault, "before", incoming.socket);
  if (early) {
    if (fault.stored) request.kept = structuredClone(early);
    return early;
  }
  const { endpoint, values } = understood(request, incoming);
  let outcome;
  world.request = request.id;
  world.key = request.idempotency_key;
  try {
    outcome = { status: 200, body: expanded(world, structuredClone(endpoint.handle(world, endpoint.id, values)), values["expand[]"]) };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.begun) throw error;
    outcome = { status: error.status, body: error.body };
  } finally {
    world.request = world.key = null;
  }
  request.kept = fault?.when === "after" && fault.kind === "status" ? undefined : outcome;
  const late = await suffer(fault, "after", incoming.socket);
  if (late && fault.kind === "status") request.kept = late;
  return late ?? outcome;
}

function understood(request, incoming) {
  const endpoint = endpointOf(request.method, request.path);
  if (!endpoint) throw unknownPath(request.method, request.path);
  const isForm = (incoming.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  if (incoming.body !== "" && (request.method === "GET" || !isForm)) {
    throw invalid("parameter_invalid", undefined, "Invalid request: parameters belong in the query of a GET, and in a form (application/x-www-form-urlencoded) of a POST.");
  }
  if (request.method === "POST" && incoming.query !== "") throw invalid("parameter_invalid", undefined, "Invalid request: a POST takes its parameters from the body.");
  const values = check(decode(request.method === "GET" ? incoming.query : incoming.body), endpoint.rules);
  endpoint.together?.(values);
  return { endpoint, values };
}

function authorise(world, header = "") {
  const [scheme, value = ""] = header.split(" ");
  const key = scheme.toLowerCase() === "basic" ? Buffer.from(value, "base64").toString().split(":")[0] : scheme.toLowerCase() === "bearer" ? value : "";
  if (key === "") throw noKey();
  if (key !== world.secretKey) throw wrongKey(key);
}
