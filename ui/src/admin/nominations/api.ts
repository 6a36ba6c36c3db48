import { send } from "../../lib/request";
import useSWR from "swr";
import type { Nomination, NominationSlot } from "../../lib/answer-types";
import { saveVersion, useVersioned, type Versioned } from "../shell/versioned";

export const pageSize = 50;

export const relationKinds = { trained_by: "Trained by", works_for: "Works for", related_to: "Related to" } as const;

export interface Filter {
  state: string;
  /** "true", "false" or "" */
  missing: string;
  search: string;
}

interface List {
  items: Nomination[];
  total: number;
}

/** One page of the nominations. While another one loads, the previous one stays. */
export function useNominations({ state, missing, search }: Filter, page: number) {
  const query = new URLSearchParams({ ...(state && { state }), ...(missing && { missing }), ...(search && { search }), page: String(page), pageSize: String(pageSize) });
  return useSWR<List, unknown>(["/api", `nominations?${query}`], { keepPreviousData: true, revalidateOnMount: true });
}

export function useNomination(id: number) {
  return useVersioned<Nomination>(["/api", "nominations", String(id)], { revalidateOnMount: true });
}

/** Whether a signed paper waits for the organiser. */
export function hasUnconfirmedPaper({ state, release }: Nomination): boolean {
  return state === "handed_in" && !release.signed && release.paper.media !== null;
}

/** The address of a photo. If the photo in a slot is replaced, its address changes. */
export function photoPath(nomination: number, { key, media }: NominationSlot, size: "full" | "thumbnail"): string {
  return `/api/nominations/${nomination}/photos/${encodeURIComponent(key)}?size=${size}&photo=${media?.id ?? ""}`;
}

export type Decision =
  | { action: "ready" }
  | { action: "return"; slots: string[]; reason: string; until?: string }
  | { action: "extend"; until: string; reason: string }
  | { action: "forfeit"; reason: string }
  | { action: "disqualify" | "withdraw" | "reinstate"; reason: string };

/** Ends all links and sessions of the competitor, and emails a new link. */
export const replaceLink = ({ id }: Nomination) => send("POST", `/api/nominations/${id}/link`, {});

/** What the organiser reads on a signed paper. */
export interface PaperRelease {
  name: string;
  adult: boolean;
  guardian: string;
}

export function confirmRelease({ value: { id }, tag }: Versioned<Nomination>, paper: PaperRelease): Promise<Versioned<Nomination>> {
  return saveVersion(`/api/nominations/${id}/confirm-release`, tag, { method: "POST", body: paper });
}

/** The server refuses a decision about photos or a state that the organiser has not seen. */
export function decide({ value: { id }, tag }: Versioned<Nomination>, { action, ...body }: Decision): Promise<Versioned<Nomination>> {
  return saveVersion(`/api/nominations/${id}/${action}`, tag, { method: "POST", body });
}
