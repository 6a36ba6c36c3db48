import { read, write } from "./browser-storage";

/** A payment that this browser began, in whichever tab. */
export interface OwnPayment {
  clientSecret: string;
  /** Whose entry it pays for. */
  email: string;
  at: number;
  /** It is known to have gone through. */
  paid?: boolean;
  /** Somebody enters another person meanwhile: no page leads to it by itself any more. */
  left?: boolean;
}

const name = "entry-payments";

/** After a day the server has asked the provider and closed what was not paid. */
export const keptFor = 24 * 3600 * 1000;

/** Noted when money may begin to move, for a browser that is closed before it is known whether it did. */
export function notePaying(clientSecret: string, email: string, now = Date.now()): void {
  const known = find(clientSecret, now);
  keep([...others(clientSecret, now), { clientSecret, email: email || (known?.email ?? ""), at: now }]);
}

export function notePaid(clientSecret: string): void {
  change(clientSecret, { paid: true });
}

export function noteLeft(clientSecret: string): void {
  change(clientSecret, { left: true });
}

/** It came to nothing. */
export function forgetPaying(clientSecret: string): void {
  keep(others(clientSecret, Date.now()));
}

/** The one that it should be asked about. */
export function lastPaying(now = Date.now()): string | undefined {
  return ownPayments(now).findLast(({ paid, left }) => !paid && !left)?.clientSecret;
}

/** Whose entry was paid for in this browser last. */
export function lastPaidFor(now = Date.now()): string | undefined {
  return ownPayments(now).findLast(({ paid, email }) => paid && email !== "")?.email;
}

/** Another payment for the same person, made or under way. */
export function earlierPayment(email: string, clientSecret: string, now = Date.now()): OwnPayment | undefined {
  return ownPayments(now).findLast((payment) => payment.clientSecret !== clientSecret && samePerson(payment.email, email));
}

/** Whether this browser began the payment, for this person or for somebody not named. */
export function isOwnPaymentFor(email: string, clientSecret: string): boolean {
  const known = find(clientSecret, Date.now());
  return known !== undefined && (email === "" || known.email === "" || samePerson(known.email, email));
}

/** The same person has the same address, however it is typed; nobody is the same as nobody. */
export function samePerson(one: string, other: string): boolean {
  const [a, b] = [one, other].map((email) => email.trim().toLowerCase());
  return a !== "" && a === b;
}

function ownPayments(now: number): OwnPayment[] {
  const kept = read<OwnPayment[]>(() => localStorage, name);
  return Array.isArray(kept) ? kept.filter(({ at }) => now - at < keptFor) : [];
}

function find(clientSecret: string, now: number): OwnPayment | undefined {
  return ownPayments(now).find((payment) => payment.clientSecret === clientSecret);
}

function others(clientSecret: string, now: number): OwnPayment[] {
  return ownPayments(now).filter((payment) => payment.clientSecret !== clientSecret);
}

function change(clientSecret: string, changed: Partial<OwnPayment>): void {
  keep(ownPayments(Date.now()).map((payment) => (payment.clientSecret === clientSecret ? { ...payment, ...changed } : payment)));
}

function keep(payments: OwnPayment[]): void {
  write(() => localStorage, name, payments.length > 0 ? payments : undefined);
}
