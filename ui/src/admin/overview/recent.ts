import useSWR from "swr";
import { kinds, type Kind } from "../../lib/page";
import { fetcher, type Key } from "../../lib/swr-settings";
import type { Registration } from "../shell/kinds";
import type { List } from "../registrations/use-list";

export const recentKey: Key = ["admin", "recent"];

/** So many of each kind are read. */
const batch = 50;
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
  /** From this instant on, nothing is missing. */
  completeFrom: number;
  readAt: number;
}

export function useRecent() {
  return useSWR<Recent, unknown>(recentKey, () => readRecent(Date.now()));
}

async function readRecent(now: number): Promise<Recent> {
  const read = await Promise.all(kinds.map(readKind));
  const arrivals = read.flatMap((kind) => kind.arrivals).sort((a, b) => (a.record.createdAt < b.record.createdAt ? 1 : -1));
  return { arrivals, completeFrom: Math.max(...read.map((kind) => kind.completeFrom)), readAt: now };
}

async function readKind(kind: Kind): Promise<{ arrivals: Arrival[]; completeFrom: number }> {
  const { items, total } = (await fetcher(["/api", `${kind}?sort=-createdAt&pageSize=${batch}`])) as List;
  const arrivals = items.filter((record) => !notCounted.includes(String(record.paymentStatus))).map((record) => ({ kind, record }));
  const last = items.at(-1);
  return { arrivals, completeFrom: last && total > batch ? Date.parse(last.createdAt) : 0 };
}
