/**
 * The server's time in milliseconds. It is the browser's, except in a demo, whose clock runs on a day before the event.
 * What only this browser compares with itself, such as the age of a draft, uses `Date.now()`.
 */
export function serverNow(): number {
  const offset = typeof document === "undefined" ? undefined : document.documentElement.dataset.clockOffset;
  return Date.now() + Number(offset ?? 0);
}
