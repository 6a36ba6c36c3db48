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

/** How long ago something was: "now", "40 s", "12 min", "3 h". */
export function age(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 10) return "now";
  if (seconds < 60) return `${Math.floor(seconds / 10) * 10} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
