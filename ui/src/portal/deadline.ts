const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "March 1, 2026 at 11:59 PM" in the event's time zone. A deadline at midnight is the end of the day before. */
export function momentInWords(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, dateStyle: "long", timeStyle: "short" });
  const text = format.format(new Date(instant)).replace(/\u202f/g, " ");
  return text.endsWith(" 12:00 AM") ? format.format(new Date(Date.parse(instant) - minute)).replace(/\u202f/g, " ") : text;
}

/** "12 days left", "5 hours left"; nothing once it has passed. */
export function timeLeft(instant: string, now: number): string | undefined {
  const left = Date.parse(instant) - now;
  if (left <= 0) return undefined;
  if (left >= 2 * day) return `${Math.floor(left / day)} days left`;
  if (left >= 2 * hour) return `${Math.floor(left / hour)} hours left`;
  return `${Math.max(1, Math.floor(left / minute))} minutes left`;
}
