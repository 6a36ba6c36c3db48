import useSWR from "swr";
import type { AuditEntry } from "../../lib/answer-types";

export const pageSize = 100;

export interface AuditPage {
  items: AuditEntry[];
  total: number;
  /** All actors and actions of the whole log, for the filters. */
  actors: string[];
  actions: string[];
}

export interface AuditQuery {
  actor: string;
  action: string;
  page: number;
}

/** One page of the audit log. While the next one loads, the previous one stays visible. */
export function useAuditLog({ actor, action, page }: AuditQuery) {
  const query = new URLSearchParams({ actor, action, page: String(page), pageSize: String(pageSize) });
  return useSWR<AuditPage, unknown>(["/api", `audit?${query}`], { keepPreviousData: true });
}
