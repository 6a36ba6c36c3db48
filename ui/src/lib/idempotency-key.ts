/** A unique key. `crypto.randomUUID` does not exist if the site is served without HTTPS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** One attempt to send a form, kept until it is known to have arrived. */
export interface Attempt {
  key: string;
  /** The answers, as JSON. */
  answers: string;
  /** The seconds at the first attempt. They are part of the request, so a repeat sends the same number. */
  secondsSpent: number;
}

/**
 * The same answers keep their key, so that sending them again after a lost reply stores nothing twice. Changed answers get
 * another key, because the server refuses other answers under a key that it knows.
 */
export function attemptFor(answers: unknown, secondsSpent: number, last: Attempt | undefined): Attempt {
  const text = JSON.stringify(answers);
  return last?.answers === text ? last : { key: newIdempotencyKey(), answers: text, secondsSpent };
}
