/** A key that no other form fill has. `crypto.randomUUID` is missing where the site is served without HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One try to send a form, kept until it is known to have arrived. */
export interface Attempt {
  key: string;
  /** What was answered, as JSON. */
  answers: string;
  /** At the first try. It is part of the request, so it stays the same too. */
  secondsSpent: number;
}

/**
 * The same answers keep their key, so that sending again after a lost reply stores nothing twice; answers that were
 * changed since are another request, which the server would refuse under the old key.
 */
export function attemptFor(answers: unknown, secondsSpent: number, last: Attempt | undefined): Attempt {
  const text = JSON.stringify(answers);
  return last?.answers === text ? last : { key: newIdempotencyKey(), answers: text, secondsSpent };
}
