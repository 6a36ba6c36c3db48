import useSWR from "swr";
import type { Key } from "../../lib/swr-settings";

export const summaryKey: Key = ["/api", "export", "json?summary=true"];

/** The counts by kind under the keys of the form, their total, and entries by payment status. */
export interface Summary {
  totalRegistrations: number;
  competitionEntriesByStatus?: Record<string, number>;
  [count: string]: number | Record<string, number> | undefined;
}

export function useSummary() {
  return useSWR<Summary, unknown>(summaryKey);
}

export function countOf(summary: Summary | undefined, key: string): number | undefined {
  const count = summary?.[key];
  return typeof count === "number" ? count : undefined;
}

/** 12345 as "12,345". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
