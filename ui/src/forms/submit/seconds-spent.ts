/**
 * Seconds since the document was opened, to a tenth, by a monotonic clock. They do not start when the form becomes
 * visible: a form that the browser has filled in can be sent within moments, and a person who is taken for a bot gets no
 * email.
 */
export function secondsSpent(): number {
  return Math.round(performance.now() / 100) / 10;
}
