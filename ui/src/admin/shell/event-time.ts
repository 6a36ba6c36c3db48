import { clockTime, weekdays } from "../../lib/dates";

/** Instants and days as people at the event read them. */
export interface EventClock {
  /** "2026-03-28" */
  day: (instant: string | number) => string;
  /** "Mar 28, 9:30 AM" */
  short: (instant: string | number) => string;
  /** "Saturday, March 28, 2026 at 9:30 AM" */
  long: (instant: string | number) => string;
  /** The last minute of a day, as an instant: "2026-03-06T04:59:00.000Z" for "2026-03-05" in New York. */
  endOfDay: (day: string) => string;
}

const clocks = new Map<string, EventClock>();

/** The clock of an IANA time zone, summer time included. */
export function eventClock(timeZone: string): EventClock {
  const clock = clocks.get(timeZone) ?? made(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function made(timeZone: string): EventClock {
  const format = (options: Intl.DateTimeFormatOptions, locale = "en-US") => {
    const formatter = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (instant: string | number) => formatter.format(new Date(instant)).replace(/\u202f/g, " ");
  };
  return {
    day: format({ year: "numeric", month: "2-digit", day: "2-digit" }, "sv-SE"),
    short: format({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }),
    long: format({ dateStyle: "full", timeStyle: "short" }),
    endOfDay: (day) => instantOf(`${day}T23:59:00Z`, format({ dateStyle: "short", timeStyle: "medium" }, "sv-SE")),
  };
}

/** The instant whose local time is `local`, as if that were in UTC. `shown` gives an instant's local time. */
function instantOf(local: string, shown: (instant: number) => string): string {
  const wanted = Date.parse(local);
  const offsetAt = (instant: number) => Date.parse(`${shown(instant).replace(" ", "T")}Z`) - instant;
  // The offset at the guess is the right one unless the clocks change in between.
  const guess = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(guess)).toISOString();
}

/** The day so many days later: `plusDays("2026-02-27", 2)` is "2026-03-01". */
export function plusDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "2026-03-28" as "Mar 28". */
export function dayName(day: string): string {
  return `${months[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;
}

/** "09:00" as "9:00 AM"; anything else as it is. */
export function timeOfDay(time: string): string {
  return /^\d{1,2}:\d\d$/.test(time) ? clockTime(time) : time;
}

/** "Mon 09:00" as "Monday at 9:00 AM". */
export function weeklyTime(text: string): string {
  const [day = "", time = ""] = text.split(" ");
  const weekday = weekdays.find((name) => day.length > 1 && name.toLowerCase().startsWith(day.toLowerCase()));
  return weekday && time ? `${weekday} at ${timeOfDay(time)}` : text;
}
