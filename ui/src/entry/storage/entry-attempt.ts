import { newIdempotencyKey } from "../../lib/idempotency-key";
import { read, write } from "../../lib/browser-storage";
import { forgetPending, isOwnPaymentFor, keptFor } from "./own-payments";

/** One attempt to enter, from the first answer to the payment, as this tab keeps it. The answers themselves are in the draft. */
export interface Attempt {
  /** The idempotency key. It stays the same while the entry is corrected and paid for again, so that there is one entry and one payment. */
  key?: string;
  clientSecret?: string;
  /** The `?category=` that has been filled in already, so that a reload does not undo what was chosen afterwards. */
  prefilled?: string;
  /** The page that is using this attempt. It is cleared when the page is left. */
  owner?: string;
}

interface Sent {
  clientSecret: string;
  /** The attempt's key, for another page that continues with this payment. */
  key?: string;
  owner?: string;
  at: number;
}

const attemptName = "entry-attempt";
const shownName = "entry-shown";
const sentName = "entry-sent";

/** The attempt of a browser without storage, which lasts as long as the page. */
let inMemory: Attempt = {};

/** Identifies this page among all that have ever had the same attempt. */
let owner: string | undefined;

/**
 * Continues the stored attempt, or begins another one if a page is using it already. A duplicated tab starts with a copy
 * of the first tab's storage, and with the same key it would overwrite the entry that is being paid for there. A page that
 * is reloaded or left clears `owner`. A page that crashed has not: then an unpaid entry may be left over, which the server
 * abandons after a day.
 */
export function claimAttempt(): void {
  if (owner) return;
  owner = newIdempotencyKey();
  const found = loadAttempt();
  if (found.owner) keep({ prefilled: found.prefilled });
  changeAttempt({});
  addEventListener("pagehide", release);
  addEventListener("pageshow", ({ persisted }) => persisted && changeAttempt({}));
}

function release(): void {
  const attempt = loadAttempt();
  if (attempt.owner === owner) keep({ ...attempt, owner: undefined });
}

export function loadAttempt(): Attempt {
  return read<Attempt>(() => sessionStorage, attemptName) ?? inMemory;
}

export function changeAttempt(change: Partial<Attempt>): Attempt {
  return keep({ ...loadAttempt(), ...change, owner });
}

export function attemptKey(): string {
  const key = loadAttempt().key ?? newIdempotencyKey();
  changeAttempt({ key });
  return key;
}

/** Records that the server has stored what this page sent, and which payment it waits for. */
export function noteSent(clientSecret: string): void {
  changeAttempt({ clientSecret });
  write(() => localStorage, sentName, { clientSecret, key: loadAttempt().key, owner, at: Date.now() } satisfies Sent);
}

/** The newest payment that any page of this browser has requested and that is neither paid nor given up: an entry may be waiting for it. */
export function lastSent(now = Date.now()): string | undefined {
  const last = read<Sent>(() => localStorage, sentName);
  return last && now - last.at < keptFor ? last.clientSecret : undefined;
}

/** Continues the entry that another page has sent, so that corrections change that entry instead of making a second one. */
export function continueSent(clientSecret: string): void {
  const last = read<Sent>(() => localStorage, sentName);
  if (last?.clientSecret === clientSecret && last.key) changeAttempt({ key: last.key, clientSecret });
}

/** Forgets a payment for which no entry waits any more; without an argument, the newest one. */
export function forgetSent(clientSecret?: string): void {
  if (clientSecret === undefined || lastSent() === clientSecret) write(() => localStorage, sentName, undefined);
}

/** Whether another page of this browser has used the same attempt and sent other answers since. */
export function isSentElsewhere(clientSecret: string): boolean {
  const last = read<Sent>(() => localStorage, sentName);
  return last?.clientSecret === clientSecret && last.owner !== owner;
}

/** Forgets a payment that failed. The next one is for the same entry. */
export function forgetPayment(clientSecret: string): void {
  if (loadAttempt().clientSecret === clientSecret) changeAttempt({ clientSecret: undefined });
  forgetPending(clientSecret);
  forgetSent(clientSecret);
}

/** Ends the attempt, so that the next one is another entry. */
export function forgetAttempt(): void {
  inMemory = {};
  write(() => sessionStorage, attemptName, undefined);
}

/** Whether this browser began the payment for the person in the form. A link that contains a client secret does not prove that. */
export function isOwnPayment(clientSecret: string, email: string): boolean {
  return loadAttempt().clientSecret === clientSecret || isOwnPaymentFor(email, clientSecret);
}

/** The payment whose outcome the last step shows, so that a reload shows it again. */
export interface Shown {
  clientSecret: string;
  /** The visitor has been told that it is paid. */
  paid: boolean;
}

export function noteShown(shown: Shown): void {
  write(() => sessionStorage, shownName, shown);
}

export function lastShown(): Shown | undefined {
  return read<Shown>(() => sessionStorage, shownName);
}

function keep(attempt: Attempt): Attempt {
  inMemory = attempt;
  write(() => sessionStorage, attemptName, attempt);
  return attempt;
}
