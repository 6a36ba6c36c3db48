import useSWR from "swr";
import type { GroupCount, Kind, MailingProgress, RefusedAddress } from "../../lib/answer-types";
import { request, requestJson, send } from "../../lib/request";
import { saveVersion, useVersioned, versioned, type Versioned } from "../shell/versioned";

type OneOrMore<Value> = Value | Value[];

/** The group that an email goes to, as a query. An absent key is no condition. */
export interface Group {
  kind: OneOrMore<Kind | "all">;
  status?: OneOrMore<string>;
  paymentStatus?: OneOrMore<string>;
  category?: string;
  invitation?: OneOrMore<string>;
  attendance?: string;
}

export interface Placeholder {
  name: string;
  /** As it is written in a text. */
  placeholder: string;
  meaning: string;
  ofEntries?: boolean;
}

export const states = { draft: "Draft", sending: "Sending", paused: "Paused", stopped: "Stopped", sent: "Sent" } as const;

export type Notice = "place" | "time" | "cancellation";

export interface Mailing {
  id: number;
  createdAt: string;
  actor: string;
  state: keyof typeof states;
  version: number;
  group: Group;
  subject: string;
  text: string;
  notice: Notice | null;
  noticeReason: string | null;
  placeholders: Placeholder[];
  startedAt: string | null;
  endedAt: string | null;
  progress: MailingProgress;
}

/** The fields of a draft that an organiser types. */
export interface Draft {
  group: Group;
  subject: string;
  text: string;
  notice: Notice | "";
}

interface List<Item> {
  items: Item[];
  total: number;
}

export const pageSize = 50;

export function useMailings(page: number) {
  return useSWR<List<Mailing>, unknown>(["/api", `mailings?page=${page}&pageSize=${pageSize}`], { keepPreviousData: true, revalidateOnMount: true });
}

/** A mailing; it is read again every two seconds for as long as something of it is on its way. */
export function useMailing(id: number) {
  return useVersioned<Mailing>(["/api", "mailings", String(id)], {
    revalidateOnMount: true,
    refreshInterval: (read) => (read && (read.value.state === "sending" || read.value.progress.queued > 0) ? 2000 : 0),
  });
}

export function usePlaceholders() {
  return useSWR<{ items: Placeholder[] }, unknown>(["/api", "mailings", "placeholders"]);
}

export function useRefused() {
  return useSWR<List<RefusedAddress>, unknown>(["/api", "mailings", "refused?pageSize=500"], { revalidateOnMount: true });
}

/** How many people are in a group now. */
export function useCount(group: Group, notice: Notice | "") {
  const body = { group, notice };
  return useSWR<GroupCount, unknown>(
    ["/api", "mailings", "count", JSON.stringify(body)],
    { fetcher: () => requestJson<GroupCount>("/api/mailings/count", { method: "POST", body }), keepPreviousData: true, revalidateOnMount: true },
  );
}

/** The three people whom a preview shows. */
export function usePreview({ id, version }: Mailing) {
  return useSWR<{ items: { recipient: string; subject: string }[]; unnamed: string[] }, unknown>(["/api", "mailings", String(id), `preview?version=${version}`], { revalidateOnMount: true });
}

export async function saveDraft(draft: Draft, saved?: Versioned<Mailing>): Promise<Versioned<Mailing>> {
  if (saved) return saveVersion(`/api/mailings/${saved.value.id}`, saved.tag, { method: "PATCH", body: draft });
  return versioned(await request("/api/mailings", { method: "POST", body: draft }));
}

export const deleteDraft = ({ value: { id }, tag }: Versioned<Mailing>) => saveVersion(`/api/mailings/${id}`, tag, { method: "DELETE" });

export async function sendDraft({ value: { id }, tag }: Versioned<Mailing>): Promise<Versioned<Mailing>> {
  return saveVersion(`/api/mailings/${id}/send`, tag, { method: "POST" });
}

export const sendTest = (id: number, email: string) => send("POST", `/api/mailings/${id}/test`, { email });
export const act = (id: number, action: "send" | "pause" | "stop") => send("POST", `/api/mailings/${id}/${action}`, {});

export async function invite(count: number, holdsUntil: string): Promise<number> {
  return (await requestJson<{ count: number }>("/api/waitlist-signups/invite", { method: "POST", body: { count, holdsUntil } })).count;
}
