// The state of the stand-in for Stripe: one account in one mode, with its own clock.

import { randomInt } from "node:crypto";
import { Webhooks } from "./webhooks.mjs";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export class World {
  constructor({ secretKey = "sk_test_51StandIn", publishableKey = "pk_test_51StandIn", webhookSecret = "whsec_stand_in", version = "2026-10-28.endive" } = {}) {
    Object.assign(this, { secretKey, publishableKey, webhookSecret, version });
    this.livemode = /^(sk|rk)_live_/.test(secretKey);
    this.offsetSeconds = 0;
    this.latency = 0;
    this.intents = new Map();
    this.charges = new Map();
    this.refunds = new Map();
    this.disputes = new Map();
    this.events = [];
    this.requests = [];
    this.faults = [];
    this.holds = [];
    this.keys = new Map();
    this.webhooks = new Webhooks(this);
    this.created = 0;
  }

  /** The stand-in's time in whole seconds. */
  now() {
    return Math.floor(Date.now() / 1000) + Number(process.env.STAND_IN_OFFSET ?? 0) + this.offsetSeconds;
  }

  random(length) {
    return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  }

  id(prefix) {
    this.created += 1;
    return `${prefix}${prefix.includes("_") ? "" : "_"}${this.random(16)}${String(this.created).padStart(8, "0")}`;
  }

  emit(type, object) {
    this.webhooks.emit(type, object);
  }
}

/** A page of a list, newest first, in the format of Stripe's API. */
export function page(all, url, { limit = 10, starting_after: after, "created[gte]": from, "created[lte]": until }, notFound) {
  const newest = [...all].reverse().filter(({ created }) => created >= (from ?? 0) && created <= (until ?? Infinity));
  const begin = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && begin === 0) throw notFound(after);
  const data = newest.slice(begin, begin + limit);
  return { object: "list", data, has_more: begin + limit < newest.length, url };
}
