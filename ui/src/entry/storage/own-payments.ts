import { read, write } from "../../lib/browser-storage";

/** A payment that any tab of this browser has begun. */
export interface OwnPayment {
  clientSecret: string;
  /** The entrant's address. */
  email: string;
  at: number;
  /** The payment is known to have succeeded. */
  paid?: boolean;
  /** The visitor has gone on to enter somebody else, so no page returns to this payment by itself. */
  abandoned?: boolean;
}

export const storageName = "entry-payments";

/** One day. By then the server has asked the provider and abandoned entries that were not paid. */
export const keptFor = 24 * 3600 * 1000;

/** Records that money may be moving, in case the browser is closed before the outcome is known. */
export function notePending(clientSecret: string, email: string, now = Date.now()): void {
  const known = find(clientSecret, now);
  keep([...others(clientSecret, now), { clientSecret, email: email || (known?.email ?? ""), at: now }]);
}

export function notePaid(clientSecret: string): void {
  change(clientSecret, { paid: true });
}

export function noteAbandoned(clientSecret: string): void {
  change(clientSecret, { abandoned: true });
}

/** Forgets a payment that failed. */
export function forgetPending(clientSecret: string): void {
  keep(others(clientSecret, Date.now()));
}

/** The newest payment whose outcome is unknown. */
export function lastPending(now = Date.now()): string | undefined {
  return ownPayments(now).findLast(({ paid, abandoned }) => !paid && !abandoned)?.clientSecret;
}

/** The address of the person whose entry was paid for last in this browser. */
export function lastPaidFor(now = Date.now()): string | undefined {
  return ownPayments(now).findLast(({ paid, email }) => paid && email !== "")?.email;
}

/** Another payment for the same person, completed or in progress. */
export function earlierPayment(email: string, clientSecret: string, now = Date.now()): OwnPayment | undefined {
  return ownPayments(now).findLast((payment) => payment.clientSecret !== clientSecret && samePerson(payment.email, email));
}

/** Whether this browser began the payment for this person. An address that is not known on either side counts as the same. */
export function isOwnPaymentFor(email: string, clientSecret: string): boolean {
  const known = find(clientSecret, Date.now());
  return known !== undefined && (email === "" || known.email === "" || samePerson(known.email, email));
}

/** Whether two addresses are the same person's. Case and surrounding spaces do not matter; empty ones never match. */
export function samePerson(one: string, other: string): boolean {
  const [a, b] = [one, other].map((email) => email.trim().toLowerCase());
  return a !== "" && a === b;
}

function ownPayments(now: number): OwnPayment[] {
  const kept = read<OwnPayment[]>(() => localStorage, storageName);
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
  write(() => localStorage, storageName, payments.length > 0 ? payments : undefined);
}
