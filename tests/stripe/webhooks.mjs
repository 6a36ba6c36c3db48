// Events, their signature (`t=…,v1=HMAC-SHA256(secret, "t.body")`) and their way to a target.
// A delivery waits a minute at most and is not repeated by itself: tests repeat what they want repeated.

import { createHmac } from "node:crypto";
import http from "node:http";

/** Stripe's `Stripe-Signature` header for a body, at a time in seconds. */
export function signature(body, secret, timestamp) {
  const digest = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}

export class Webhooks {
  constructor(world) {
    this.world = world;
    this.target = null;
    this.deliveries = [];
    this.held = [];
    this.underWay = new Set();
    this.quiet = false;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
  }

  /** Records an event, and sends it if the target wants its type. */
  emit(type, object) {
    const event = {
      id: this.world.id("evt_3"), object: "event", api_version: this.world.version, created: this.world.now(), data: { object: structuredClone(object) },
      livemode: object.livemode ?? this.world.livemode, pending_webhooks: this.target ? 1 : 0, request: { id: this.world.request ?? null, idempotency_key: this.world.key ?? null }, type,
    };
    this.world.events.push(event);
    if (this.quiet || !this.target?.url || (this.target.types && !this.target.types.includes(type))) return;
    if (this.target.hold) this.held.push(event);
    else this.start(event);
  }

  /** Events that `work` emits are recorded, but not sent automatically. */
  silently(silent, work) {
    this.quiet = Boolean(silent);
    try {
      return work();
    } finally {
      this.quiet = false;
    }
  }

  start(event, how) {
    const delivery = this.deliver(event, how).finally(() => this.underWay.delete(delivery));
    this.underWay.add(delivery);
    return delivery;
  }

  /** Until nothing is under way any more. */
  async idle() {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  /** Sends what was held: in the order it happened, or `reverse`. */
  async release({ order = "made", times = 1 } = {}) {
    const events = this.held.splice(0);
    if (order === "reverse") events.reverse();
    const done = [];
    for (const event of events) for (let n = 0; n < times; n += 1) done.push(await this.start(event));
    return done;
  }

  /** Sends all events again whose last delivery was not answered with 2xx. */
  async redeliver() {
    const last = new Map(this.deliveries.map((delivery) => [delivery.event, delivery]));
    const failed = this.world.events.filter(({ id }) => last.has(id) && !last.get(id).accepted);
    const done = [];
    for (const event of failed) done.push(await this.start(event));
    return done;
  }

  /** Sends many at a steady rate. Returns how many were accepted, and the latencies in milliseconds. */
  async storm({ events, per_second: rate = 500, times = 1 }) {
    const wanted = events.map((id) => this.world.events.find((event) => event.id === id));
    const all = Array.from({ length: times }, () => wanted).flat();
    const begun = performance.now();
    const running = [];
    for (let n = 0; n < all.length;) {
      for (; n < all.length && n <= ((performance.now() - begun) / 1000) * rate; n += 1) running.push(this.start(all[n]));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const done = await Promise.all(running);
    const times_ms = done.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    const at = (share) => times_ms[Math.min(times_ms.length - 1, Math.floor(times_ms.length * share))];
    return { sent: done.length, accepted: done.filter(({ accepted }) => accepted).length, seconds: (performance.now() - begun) / 1000, p50: at(0.5), p99: at(0.99) };
  }

  /** One delivery; `how`: forge, age_seconds, livemode, secret, url. */
  async deliver(event, { forge, age_seconds = 0, livemode, secret, url } = {}) {
    const sent = livemode === undefined ? event : { ...event, livemode, data: { object: { ...event.data.object, livemode } } };
    const body = JSON.stringify(sent, null, 2);
    const key = forge ? "whsec_somebody_else" : (secret ?? this.target?.secret ?? this.world.webhookSecret);
    const headers = {
      "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body), "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "stripe-signature": signature(body, key, this.world.now() - age_seconds),
    };
    const record = { event: event.id, type: event.type, status: null, accepted: false, reply: "", milliseconds: 0 };
    this.deliveries.push(record);
    const begun = performance.now();
    try {
      const answer = await post(this.agent, url ?? this.target.url, headers, body);
      Object.assign(record, { status: answer.status, accepted: answer.status >= 200 && answer.status < 300, reply: answer.body });
    } catch (error) {
      record.reply = String(error);
    }
    record.milliseconds = performance.now() - begun;
    return record;
  }
}

function post(agent, url, headers, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", headers, agent, timeout: 60_000 }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => resolve({ status: answer.statusCode, body: Buffer.concat(parts).toString() }));
      answer.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("no answer within a minute")));
    request.on("error", reject);
    request.end(body);
  });
}
