import useSWR from "swr";
import type { Key } from "../../lib/swr-settings";

export const talliesKey: Key = ["/api", "tallies"];

/** Registrations and revenue of the last weeks, as the server counts them. */
export interface Tallies {
  from: string;
  to: string;
  days: DayTally[];
  categories: { category: string; entries: number; paid: number; revenue: number }[];
}

export interface DayTally {
  day: string;
  total: number;
  /** By the keys of the summary. */
  registrations: Record<string, number>;
  /** Cents. */
  revenue: number;
}

export function useTallies() {
  return useSWR<Tallies, unknown>(talliesKey);
}
