/** "8:31 AM" in the event's time zone. */
export function timeOf(instant: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { timeZone, timeStyle: "short" }).format(new Date(instant)).replace(/\u202f/g, " ");
}

/** "8:31 AM", or on another day "March 10, 8:31 AM". */
export function timeOrDayOf(instant: string | number, timeZone: string, now: number): string {
  const time = timeOf(instant, timeZone);
  if (dayOf(new Date(instant).getTime(), timeZone) === dayOf(now, timeZone)) return time;
  return `${new Intl.DateTimeFormat("en-US", { timeZone, month: "long", day: "numeric" }).format(new Date(instant))}, ${time}`;
}

/** "2026-03-28" in the event's time zone. */
export function dayOf(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date(instant));
}

/** How old a list is, by this phone's clock: "up to date", "40 s old", "12 min old", "3 h old"; unknown if the clock was set back. */
export function listAge(confirmedAt: number, now: number): string {
  const seconds = Math.round((now - confirmedAt) / 1000);
  if (seconds < -60) return "of unknown age";
  if (seconds < 10) return "up to date";
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s old`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min old` : `${Math.floor(seconds / 3600)} h old`;
}
