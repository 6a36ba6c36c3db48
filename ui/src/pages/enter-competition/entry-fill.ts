import { newIdempotencyKey } from "../../api/idempotency-key";

/** What this tab knows of one fill of the form, beside what was typed. It lasts until the entry is paid. */
export interface Fill {
  /** The same for every try to pay this entry, so that there is one entry and one payment. */
  key?: string;
  clientSecret?: string;
  /** The `?category=` that was already taken over; after a reload what was chosen since holds. */
  prefilled?: string;
}

const fillName = "entry-fill";
const shownName = "entry-shown";
const payingName = "entry-paying";

/** After a day the server has asked the provider and closed what was not paid. */
const payingFor = 24 * 3600 * 1000;

/** Where the browser keeps nothing, all this lasts as long as the page. */
let unkept: Fill = {};

export function loadFill(): Fill {
  return read<Fill>(() => sessionStorage, fillName) ?? unkept;
}

export function changeFill(change: Partial<Fill>): Fill {
  unkept = { ...loadFill(), ...change };
  write(() => sessionStorage, fillName, unkept);
  return unkept;
}

export function fillKey(): string {
  return loadFill().key ?? (changeFill({ key: newIdempotencyKey() }).key as string);
}

/** The payment came to nothing; the next try is about the same entry. */
export function forgetPayment(): void {
  changeFill({ clientSecret: undefined });
  write(() => localStorage, payingName, undefined);
}

/** The next try is about another entry. */
export function forgetFill(): void {
  unkept = {};
  write(() => sessionStorage, fillName, undefined);
  write(() => localStorage, payingName, undefined);
}

/** Noted when money may begin to move, for a browser that is closed before it is known whether it did. */
export function notePaying(clientSecret: string, now = Date.now()): void {
  write(() => localStorage, payingName, { clientSecret, at: now });
}

export function lastPaying(now = Date.now()): string | undefined {
  const noted = read<{ clientSecret: string; at: number }>(() => localStorage, payingName);
  return noted && now - noted.at < payingFor ? noted.clientSecret : undefined;
}

/** Whether this browser began the payment; a link with a secret in it proves nothing. */
export function isOwnPayment(clientSecret: string): boolean {
  return loadFill().clientSecret === clientSecret || lastPaying() === clientSecret;
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

function read<Kept>(storage: () => Storage, name: string): Kept | undefined {
  try {
    return (JSON.parse(storage().getItem(name) ?? "null") as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, name: string, value: unknown): void {
  try {
    if (value === undefined) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // Without storage there is nothing to come back to after a reload; the server keeps the entry.
  }
}
