import useSWR from "swr";
import { kinds, type Kind } from "../api/page";
import { fetcher, type Key } from "../api/swr-settings";
import { useEventClock } from "./desk-context";
import { plusDays, type EventClock } from "./event-time";
import type { Registration } from "./kinds";
import type { List } from "./use-list";

export const recentKey: Key = ["desk", "recent"];

/** How far back the plot looks, at most. */
export const windowDays = 28;
const batch = 100;
const mostBatches = 5;
/** These take no part, and are not in the counts either. */
const notCounted = ["abandoned", "failed"];

export interface Arrival {
  kind: Kind;
  record: Registration;
}

/** What came in lately. */
export interface Recent {
  /** Newest first. */
  arrivals: Arrival[];
  /** From this day on, nothing is missing. */
  completeFrom: string;
  days: DayCount[];
  readAt: number;
}

export interface DayCount {
  day: string;
  total: number;
  byKind: Partial<Record<Kind, number>>;
}

export function useRecent() {
  const clock = useEventClock();
  return useSWR<Recent, unknown>(recentKey, () => readRecent(clock, Date.now()));
}

async function readRecent(clock: EventClock, now: number): Promise<Recent> {
  const today = clock.day(now);
  const from = plusDays(today, 1 - windowDays);
  const read = await Promise.all(kinds.map((kind) => readKind(kind, from, clock)));
  const arrivals = read.flatMap((kind) => kind.arrivals).sort((a, b) => (a.record.createdAt < b.record.createdAt ? 1 : -1));
  const completeFrom = read.map((kind) => kind.completeFrom).reduce((latest, day) => (day > latest ? day : latest), from);
  return { arrivals, completeFrom, days: countByDay(arrivals, completeFrom, today, clock), readAt: now };
}

/** The API lists whole records, newest first: read until the window is full, and no further. */
async function readKind(kind: Kind, from: string, clock: EventClock): Promise<{ arrivals: Arrival[]; completeFrom: string }> {
  const arrivals: Arrival[] = [];
  for (let page = 1; page <= mostBatches; page += 1) {
    const { items, total } = (await fetcher(["/api", `${kind}?sort=-createdAt&page=${page}&pageSize=${batch}`])) as List;
    arrivals.push(...items.filter((record) => !notCounted.includes(String(record.paymentStatus))).map((record) => ({ kind, record })));
    const last = items.at(-1);
    if (!last || page * batch >= total || clock.day(last.createdAt) < from) return { arrivals, completeFrom: from };
    // The rest of the oldest day that was read may be on the next page.
    if (page === mostBatches) return { arrivals, completeFrom: plusDays(clock.day(last.createdAt), 1) };
  }
  return { arrivals, completeFrom: from };
}

export function countByDay(arrivals: readonly Arrival[], from: string, to: string, clock: Pick<EventClock, "day">): DayCount[] {
  const days = new Map<string, DayCount>();
  for (let day = from; day <= to; day = plusDays(day, 1)) days.set(day, { day, total: 0, byKind: {} });
  for (const { kind, record } of arrivals) {
    const count = days.get(clock.day(record.createdAt));
    if (!count) continue;
    count.total += 1;
    count.byKind[kind] = (count.byKind[kind] ?? 0) + 1;
  }
  return [...days.values()];
}
