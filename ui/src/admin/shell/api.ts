import useSWR from "swr";
import type { FoundRegistration } from "../../lib/answer-types";
import { send } from "../../lib/request";
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

/** The maximum number of search results. */
export const mostFound = 50;

export function useSearchResults(text: string) {
  // Unlike a page, this is loaded again each time: a person who has just registered must be found.
  return useSWR<{ items: FoundRegistration[] }, unknown>(["/api", `search?${new URLSearchParams({ q: text })}`], { keepPreviousData: true, revalidateIfStale: true });
}

/** Confirms the password, for changes that the server allows only for a few minutes after that. */
export const confirmPassword = (password: string) => send("POST", "/api/admin/session/confirm", { password });
