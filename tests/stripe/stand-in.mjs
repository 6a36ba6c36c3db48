// A strict local stand-in of Stripe, for tests: the parts of its HTTP API that Showcase calls, its webhooks, and
// under /control/… calls that simulate people, banks and networks (see control.mjs).
//
// It checks API keys, requests and their parameters (unknown ones are refused), idempotency keys as Stripe documents
// them, the states of payment intents, and what may be refunded. It signs its webhooks. ui/e2e/stripe-stand-in.e2e.ts validates it
// with Stripe's own SDK. It doesn't check card data, API versions (it echoes the one in the request), rate limits or permissions.
//
// node tests/stripe/stand-in.mjs ['{"secretKey": "sk_test_…", "publishableKey": …, "webhookSecret": …, "port": 0}']
// prints its address as one line and ends when its standard input is closed. Tests in Node call `start` instead.

import http from "node:http";
import { fileURLToPath } from "node:url";
import { answer } from "./api.mjs";
import { control } from "./control.mjs";
import { World } from "./world.mjs";

/**
 * Starts a stand-in on 127.0.0.1, by default on a free port.
 * @param {{secretKey?: string, publishableKey?: string, webhookSecret?: string, version?: string, port?: number}} [options]
 */
export async function start(options = {}) {
  const world = new World(options);
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(world, request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  world.origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    /** @type {string} */
    origin: world.origin,
    secretKey: world.secretKey,
    publishableKey: world.publishableKey,
    webhookSecret: world.webhookSecret,
    /**
     * Sends a control request, such as `control("pay", {payment_intent, outcome})`; without a body a `GET`, such as `control("requests")`.
     * @param {string} name @param {object} [body] @param {string} [method]
     * @returns {Promise<any>}
     */
    async control(name, body, method = body ? "POST" : "GET") {
      const reply = await fetch(`${world.origin}/control/${name}`, { method, headers: { "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
      const value = await reply.json();
      if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(value)}`);
      return value;
    },
    async stop() {
      world.webhooks.agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(() => resolve(undefined)));
    },
  };
}

async function serve(world, request, response) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const [path, query = ""] = request.url.split("?");
  const incoming = { method: request.method, path, query, headers: request.headers, body: Buffer.concat(parts).toString(), socket: request.socket };
  return path.startsWith("/control/") ? control(world, incoming, response) : answer(world, incoming, response);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const running = await start(JSON.parse(process.argv[2] ?? "{}"));
  console.log(running.origin);
  process.stdin.resume();
  process.stdin.on("end", () => process.exit(0));
}
