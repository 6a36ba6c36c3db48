import useSWR, { mutate } from "swr";
import type { AttentionItem, DailyCounts, FirstStep, Kind } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { send } from "../../lib/request";
import { fetcher, type Key } from "../../lib/swr-settings";
import { serverNow } from "../../lib/clock";
import type { Registration } from "../shell/kinds";
import { summaryKey } from "../shell/api";
import type { StorageUse } from "./overview";

const attentionKey: Key = ["/api", "attention"];
const talliesKey: Key = ["/api", "tallies"];
const recentKey: Key = ["admin", "recent"];
const storageKey: Key = ["/api", "storage"];

export interface Attention {
  items: AttentionItem[];
  /** Keys of the content that still hold a sample. */
  samples: string[];
  /** Keys of the content where visitors see no face or work yet. */
  portraits: string[];
  /** How many nobody has looked at yet, by the summary's keys; without entries, which need no decision. */
  new?: Record<string, number>;
}

/** Erases everybody of a past edition. `confirm` is the event's name. */
export const eraseEdition = (confirm: string) => send("POST", "/api/edition/erasure", { confirm });

export function useAttention() {
  return useSWR<Attention, unknown>(attentionKey);
}

export function useTallies() {
  return useSWR<DailyCounts, unknown>(talliesKey);
}

export function useStorage() {
  return useSWR<StorageUse, unknown>(storageKey);
}

export interface LatestRegistration {
  kind: Kind;
  record: Registration;
}

/** The latest registrations of all kinds. */
export interface Recent {
  /** Newest first. */
  registrations: LatestRegistration[];
  /** From this instant on, nothing is missing. */
  completeFrom: number;
  readAt: number;
}

export function useRecent() {
  return useSWR<Recent, unknown>(recentKey, () => readRecent(serverNow()));
}

/** So many of each kind are loaded. */
const batch = 50;
/** Entries that are not in the counts either. */
const notCounted = ["abandoned", "failed"];

async function readRecent(now: number): Promise<Recent> {
  const read = await Promise.all(kinds.map(readKind));
  const registrations = read.flatMap((kind) => kind.registrations).sort((a, b) => (a.record.createdAt < b.record.createdAt ? 1 : -1));
  return { registrations, completeFrom: Math.max(...read.map((kind) => kind.completeFrom)), readAt: now };
}

async function readKind(kind: Kind): Promise<{ registrations: LatestRegistration[]; completeFrom: number }> {
  const { items, total } = (await fetcher(["/api", `${kind}?sort=-createdAt&pageSize=${batch}`])) as { items: Registration[]; total: number };
  const registrations = items.filter((record) => !notCounted.includes(String(record.paymentStatus))).map((record) => ({ kind, record }));
  const last = items.at(-1);
  return { registrations, completeFrom: last && total > batch ? Date.parse(last.createdAt) : 0 };
}

export async function refreshOverview(): Promise<void> {
  await Promise.all([summaryKey, recentKey, talliesKey, attentionKey, storageKey].map((key) => mutate(key)));
}

/** After a change to a registration. The counts in the menu are reloaded at once, the latest registrations when they are next shown. */
export async function refreshCounts(): Promise<void> {
  await mutate(recentKey, undefined, { revalidate: false });
  await Promise.all([mutate(summaryKey), mutate(attentionKey)]);
}

/** What makes the site the organiser's own. */
export interface Steps {
  items: FirstStep[];
  done: number;
  total: number;
}

export function useFirstSteps() {
  return useSWR<Steps, unknown>(["/api", "first-steps"], { revalidateOnMount: true });
}
