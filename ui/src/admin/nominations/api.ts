import { send } from "../../lib/request";
import useSWR from "swr";
import type { NominationState, Relation } from "../../lib/answer-types";
import { saveVersion, useVersioned, type Versioned } from "../shell/versioned";

export const pageSize = 50;

/** A photo as the judges see it, and what its file said of itself. */
export interface Photo {
  id: number;
  kind: "photo" | "video";
  width: number;
  height: number;
  bytes: number;
  createdAt: string;
  takenAt: string | null;
  software: string | null;
  /** Photos of other nominations that show the same. Present only if a single nomination was loaded. */
  alike: { nominationId: number; code: string; label: string }[];
}

export interface Slot {
  key: string;
  label: string;
  required: boolean;
  media: Photo | null;
}

export interface Nomination {
  id: number;
  code: string;
  state: NominationState;
  label: string;
  entryId: number;
  name: string;
  businessName: string | null;
  email: string;
  createdAt: string;
  handedInAt: string | null;
  deadline: string | null;
  extendedUntil: string | null;
  reason: string | null;
  returnedSlots: string[] | null;
  /** Keys of slots, and "release". */
  missing: string[];
  /** `confirmedBy` and `paper` are of a release that the model signed on paper. The name is the model's. */
  release: { signed: boolean; signedAt: string | null; name: string | null; adult: boolean | null; guardian: string | null; confirmedBy: string | null; paper: Slot };
  slots: Slot[];
  /** What the entrant said about judges. */
  relations: Relation[];
}

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
export function photoPath(nomination: number, { key, media }: Slot, size: "full" | "thumbnail"): string {
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
