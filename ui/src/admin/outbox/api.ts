import useSWR from "swr";
import type { ListedMail, MailDetails } from "../../lib/answer-types";
import { requestJson, send } from "../../lib/request";

export const pageSize = 50;

export interface OutboxPage {
  items: ListedMail[];
  total: number;
  counts: Record<ListedMail["state"], number>;
}

/** One page of the outbox. While another one loads, the previous one stays. */
export function useOutbox(state: string, page: number) {
  const query = new URLSearchParams({ state, page: String(page), pageSize: String(pageSize) });
  return useSWR<OutboxPage, unknown>(["/api", `outbox?${query}`], { keepPreviousData: true });
}

export function useMail(id: number) {
  return useSWR<MailDetails, unknown>(["/api", "outbox", String(id)], { revalidateOnMount: true });
}

/** The address of an email's HTML, for a frame. */
export function mailHtmlPath(id: number): string {
  return `/api/outbox/${id}/html`;
}

export const sendNow = (id: number) => send("POST", `/api/outbox/${id}/retry`);

/** Retries every email that is waiting or has failed. */
export const sendAllNow = () => send("POST", "/api/outbox/retry");
export const discardMail = (id: number) => send("POST", `/api/outbox/${id}/discard`);

/** Sends an email again to another address, which becomes the registration's. Returns the new email. */
export function correctMail(id: number, email: string, confirm: boolean): Promise<MailDetails> {
  return requestJson(`/api/outbox/${id}/correct`, { method: "POST", body: { email, ...(confirm && { confirm }) } });
}

export function canBeRetried({ state }: ListedMail): boolean {
  return state === "waiting" || state === "failed";
}

/** Whether the email's address can be corrected: it went to a person, not to an organiser, and was not discarded. */
export function canBeCorrected({ kind, state, isToPerson }: MailDetails): boolean {
  return kind !== null && state !== "discarded" && isToPerson;
}
