import useSWR, { mutate } from "swr";
import type { Kind } from "../../lib/answer-types";
import { send } from "../../lib/request";
import { refreshCounts } from "../overview/api";
import type { Registration } from "../shell/kinds";
import { saveVersion, useVersioned, type Versioned } from "../shell/versioned";

export const pageSize = 50;

/** What a list shows. */
export interface ListQuery {
  search: string;
  status: string;
  /** A category's slug; only entries have any. */
  category: string;
  /** A field's name, with a minus in front for descending. */
  sort: string;
  page: number;
}

export interface List {
  items: Registration[];
  total: number;
  page: number;
  pageSize: number;
}

/** One page of a kind. While another one loads, the previous one stays. */
export function useList(kind: Kind, { search, status, category, sort, page }: ListQuery) {
  const query = new URLSearchParams({ search, status, ...(kind === "competition-entries" && { category }), sort, page: String(page), pageSize: String(pageSize) });
  return useSWR<List, unknown>(["/api", `${kind}?${query}`], { keepPreviousData: true });
}

export function useRegistration(kind: Kind, id: number) {
  return useVersioned<Registration>(["/api", kind, String(id)], { revalidateOnMount: true });
}

/** After a change of a registration: its lists are loaded again when they are next shown, the counts in the menu at once. */
export async function refreshLists(kind: Kind): Promise<void> {
  const isList = (key: unknown) => Array.isArray(key) && key.join("/").startsWith(`/api/${kind}?`);
  await mutate(isList, undefined, { revalidate: false });
  await refreshCounts();
}

export interface DecisionChanges {
  status?: string;
  note?: string;
  /** Sends the email that goes with the status. */
  mail?: boolean;
  /** A line of this email alone. */
  personalLine?: string;
}

export const saveDecision = (kind: Kind, { value: { id }, tag }: Versioned<Registration>, changes: DecisionChanges) => saveVersion(`/api/${kind}/${id}`, tag, { method: "PATCH", body: changes });

/** The email that goes with a decision, before it is sent. */
export interface DecisionMail {
  recipient: string;
  subject: string;
  /** A reason not to send it. */
  warning?: string | null;
}

export function useDecisionMail(kind: Kind, id: number, status: string) {
  return useSWR<DecisionMail, unknown>(["/api", kind, String(id), `decision-mail?status=${status}`], { revalidateOnMount: true });
}

/** The address of the email's HTML, for a frame. */
export function decisionMailPath(kind: Kind, id: number, status: string, personalLine: string): string {
  return `/api/${kind}/${id}/decision-mail/html?${new URLSearchParams({ status, ...(personalLine && { personalLine }) })}`;
}

export interface RefundRequest {
  amountCents: number;
  /** The code of the nomination that is withdrawn with the refund. */
  category?: string;
  /** For the history; never shown to the entrant. */
  reason: string;
  /** Whether the entrant gets an email. */
  notify: boolean;
}

/** A repeated refund with the same key is made once, and not refused although the first one has changed the entry. */
export const refundEntry = ({ value: { id }, tag }: Versioned<Registration>, refund: RefundRequest, idempotencyKey: string) => saveVersion(`/api/competition-entries/${id}/refund`, tag, { method: "POST", body: refund, idempotencyKey });

/** The address of the HTML of a refund's email, for a frame. */
export function refundMailPath(id: number, amountCents: number, category?: string): string {
  return `/api/competition-entries/${id}/refund-mail/html?amountCents=${amountCents}${category ? `&category=${category}` : ""}`;
}

/** Sends somebody on the waitlist a personal link to the entry form. */
export const inviteToEnter = (id: number, holdsUntil: string) => send("POST", `/api/waitlist-signups/${id}/invite`, { holdsUntil });

/** Changes the address of a registration, and sends the emails with these ids to the new one. */
export const correctAddress = (kind: Kind, { value: { id }, tag }: Versioned<Registration>, email: string, mails: number[], confirm: boolean) => saveVersion(`/api/${kind}/${id}/address`, tag, { method: "POST", body: { email, ...(mails.length > 0 && { mails }), ...(confirm && { confirm }) } });
