import { newIdempotencyKey } from "../../lib/idempotency-key";
import { read, write } from "./browser-storage";
import { forgetPaying, isOwnPaymentFor, keptFor } from "./own-payments";

/** What this tab knows of one fill of the form, beside what was typed. It lasts until the entry is paid. */
export interface Fill {
  /** The same for every try to pay for this entry, whatever is corrected in between, so that there is one entry and one payment. */
  key?: string;
  clientSecret?: string;
  /** The `?category=` that was already taken over; after a reload what was chosen since holds. */
  prefilled?: string;
  /** The page that works with this now; it lets go when it is left. */
  owner?: string;
}

interface Written {
  clientSecret: string;
  /** The key of the fill, for a page that continues with this payment. */
  key?: string;
  owner?: string;
  at?: number;
}

const fillName = "entry-fill";
const shownName = "entry-shown";
const writtenName = "entry-written";

/** Where the browser keeps nothing, all this lasts as long as the page. */
let unkept: Fill = {};

/** This page, among all that ever had the same fill. */
let owner: string | undefined;

/**
 * Makes the fill that is found this page's own. A duplicated tab begins with a copy of what the first one keeps, and
 * with the same key it would write over the entry that is paid for there. A page that is reloaded or left has let go of
 * its fill; one that lives, or ended without a word, has not, and then this page begins another: at worst an unpaid
 * entry is left over, which ends after a day.
 */
export function claimFill(): void {
  if (owner) return;
  owner = newIdempotencyKey();
  const found = loadFill();
  if (found.owner) keep({ prefilled: found.prefilled });
  changeFill({});
  addEventListener("pagehide", release);
  addEventListener("pageshow", ({ persisted }) => persisted && changeFill({}));
}

function release(): void {
  const fill = loadFill();
  if (fill.owner === owner) keep({ ...fill, owner: undefined });
}

export function loadFill(): Fill {
  return read<Fill>(() => sessionStorage, fillName) ?? unkept;
}

export function changeFill(change: Partial<Fill>): Fill {
  return keep({ ...loadFill(), ...change, owner });
}

export function fillKey(): string {
  const key = loadFill().key ?? newIdempotencyKey();
  changeFill({ key });
  return key;
}

/** Noted when the server holds for a payment what this page has sent. */
export function noteWritten(clientSecret: string): void {
  changeFill({ clientSecret });
  write(() => localStorage, writtenName, { clientSecret, key: loadFill().key, owner, at: Date.now() } satisfies Written);
}

/** The last payment that any page of this browser asked for, until it is paid or given up: an entry that may wait for it. */
export function lastWritten(now = Date.now()): string | undefined {
  const last = read<Written>(() => localStorage, writtenName);
  return last && now - (last.at ?? 0) < keptFor ? last.clientSecret : undefined;
}

/** Continues the entry that another page has sent: corrections change that entry and make no second one. */
export function continueWritten(clientSecret: string): void {
  const last = read<Written>(() => localStorage, writtenName);
  if (last?.clientSecret === clientSecret && last.key) changeFill({ key: last.key, clientSecret });
}

/** Nothing waits for it any more. */
export function forgetWritten(clientSecret?: string): void {
  if (clientSecret === undefined || lastWritten() === clientSecret) write(() => localStorage, writtenName, undefined);
}

/** Whether another page of this browser, with the same fill after all, has sent something else since. */
export function isWrittenElsewhere(clientSecret: string): boolean {
  const last = read<Written>(() => localStorage, writtenName);
  return last?.clientSecret === clientSecret && last.owner !== owner;
}

/** The payment came to nothing; the next try is about the same entry. */
export function forgetPayment(clientSecret: string): void {
  if (loadFill().clientSecret === clientSecret) changeFill({ clientSecret: undefined });
  forgetPaying(clientSecret);
  forgetWritten(clientSecret);
}

/** The next try is about another entry. */
export function forgetFill(): void {
  unkept = {};
  write(() => sessionStorage, fillName, undefined);
}

/** Whether this browser began the payment for the person in the form; a link with a secret in it proves nothing. */
export function isOwnPayment(clientSecret: string, email: string): boolean {
  return loadFill().clientSecret === clientSecret || isOwnPaymentFor(email, clientSecret);
}

/** The payment that the last step is about, so that a reload of that step is about it too. */
export interface Shown {
  clientSecret: string;
  /** It was said already that it is paid. */
  paid: boolean;
}

export function noteShown(shown: Shown): void {
  write(() => sessionStorage, shownName, shown);
}

export function lastShown(): Shown | undefined {
  return read<Shown>(() => sessionStorage, shownName);
}

function keep(fill: Fill): Fill {
  unkept = fill;
  write(() => sessionStorage, fillName, fill);
  return fill;
}
