// Faults that a test requests. Each affects the next requests that match, before or after they are handled.
//
//   { method?, path?, times = 1 (0: always), kind, when = "before" | "after", status?, retry_after?, stored? }
//   path: the beginning of a path, or a regular expression when it starts with ^
//   kind: "status" (500, 429 or another), "hang", "close", "hold" (until the faults are taken away)
//   when: before the request is handled (nothing happens) or after it (only the answer is lost or replaced)
//   stored: a status that is given before the request is handled is stored under the idempotency key too, as Stripe
//   stores a 500 of an execution that had begun; a status after it is always stored

import { otherStatus, serverError, tooMany } from "./failure.mjs";

const KINDS = ["status", "hang", "close", "hold"];

export function addFault(world, { times = 1, when = "before", ...fault }) {
  if (!KINDS.includes(fault.kind) || !["before", "after"].includes(when)) throw new Error(`A fault has a kind of ${KINDS.join(", ")} and is before or after the work.`);
  const released = new Promise((resolve) => world.holds.push(resolve));
  world.faults.push({ ...fault, when, released, left: times === 0 ? Infinity : times });
}

export function clearFaults(world) {
  world.faults.splice(0);
  for (const release of world.holds.splice(0)) release();
}

export function takeFault(world, request) {
  const fault = world.faults.find((one) => (!one.method || one.method === request.method) && matches(one.path, request.path));
  if (!fault) return undefined;
  fault.left -= 1;
  if (fault.left <= 0) world.faults.splice(world.faults.indexOf(fault), 1);
  request.fault = `${fault.kind} ${fault.when}`;
  return fault;
}

const matches = (wanted, path) => !wanted || (wanted.startsWith("^") ? new RegExp(wanted).test(path) : path.startsWith(wanted));

/** The answer that the fault gives at this moment ("before" or "after"); undefined if the fault is for the other one. */
export async function suffer(fault, moment, socket) {
  if (!fault || fault.when !== moment) return undefined;
  switch (fault.kind) {
    case "hold":
      await fault.released;
      return undefined;
    case "hang":
      await new Promise((resolve) => (socket.destroyed ? resolve() : socket.once("close", resolve)));
      return { closed: true };
    case "close":
      return { closed: true };
    default: {
      const status = fault.status ?? 500;
      const failure = status === 429 ? tooMany() : status === 500 ? serverError() : otherStatus(status);
      return { status, body: failure.body, retryAfter: status === 429 ? (fault.retry_after ?? 1) : fault.retry_after };
    }
  }
}
