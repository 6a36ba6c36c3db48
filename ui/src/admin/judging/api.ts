import useSWR from "swr";
import type { NominationState, Relation, SheetCounts } from "../../lib/answer-types";
import { errorsOf } from "../../lib/api-error";
import { requestJson, send } from "../../lib/request";
import type { Certificate } from "../../portal/print/certificate";
import { useAction } from "../shell/use-form";

export interface Judge {
  id: number;
  name: string;
  /** The name on the site, if it differs. */
  publicName: string | null;
  email: string;
  phone: string | null;
  instagram: string | null;
  businessName: string | null;
  termsAcceptedAt: string | null;
  /** Contact details that this judge shares with entrants. */
  warnings: string[];
  panels: { category: string; subCategory: string; label: string; role: keyof typeof roles }[];
}

export const roles = { judge: "Judge", head: "Head judge", reserve: "Reserve" } as const;

/** An accepted application to judge. */
export interface Application {
  id: number;
  name: string;
  email: string;
  company: string | null;
  invited: boolean;
}

export type CategoryState = "no_panel" | "scoring" | "sealed" | "published";

export interface Overview {
  category: string;
  subCategory: string;
  label: string;
  /** The category's part of API paths. */
  path: string;
  state: CategoryState;
  rubricVersion: string;
  rubricLocked: boolean;
  nominations: number;
  notReady: number;
  judges: number;
  sheets: SheetCounts;
}

export type SheetState = "open" | "saved" | "confirmed" | "conflict" | "abstained" | "second_look";

export interface Progress {
  judge: number;
  name: string;
  role: keyof typeof roles;
  counts: SheetCounts;
  lastSavedAt: string | null;
  /** `reason` says why the judge does not score a nomination. */
  sheets: { code: string; state: SheetState; missing: string[]; paperBy: string | null; reason: string | null }[];
}

export interface Result {
  code: string;
  id: number;
  name: string;
  businessName: string | null;
  points: string;
  place: number | null;
  total: string;
  penalties: string;
  adjustment: string | null;
  sentence: string | null;
  state: "placed" | "unplaced" | "disqualified";
}

interface Named {
  id: number;
  name: string;
}

export interface Detail extends Overview {
  rubric: { step: number; secondLookPoints: number; criteria: { key: string; label: string; max: number }[]; penalties: { key: string; label: string; max: number }[] };
  panel: { judges: Named[]; head: number | null; reserves: Named[] };
  entries: { id: number; code: string; name: string; businessName: string | null; state: NominationState; reason: string | null }[];
  conflicts: { judge: number; judgeName: string; code: string; name: string; source: "computed" | "competitor" | "judge" | "recused" | "organiser"; reason: string }[];
  /** What competitors said about judges too late for it to count at once. */
  requests: { id: string; judge: number; judgeName: string; code: string; name: string; relations: Relation[] }[];
  progress: Progress[];
  severity: { judge: number; name: string; distance: string; spread: string; agreement: string | null }[] | null;
  secondLooks: { judge: number; judgeName: string; code: string; distance: string; state: "suggested" | "asked" | "kept" | "changed"; reason: string | null }[];
  ties: { codes: string[]; place: number }[];
  /** Why the category cannot be sealed yet, or its results not be published. */
  blockers: string[];
  sealedAt: string | null;
  sealedBy: string | null;
  publishedAt: string | null;
  results: Result[] | null;
}

export type CeremonyPlace = Pick<Result, "code" | "name" | "businessName" | "points"> & { place: number; photo: string | null };

export interface CeremonyCategory extends Pick<Overview, "category" | "subCategory" | "label" | "path"> {
  award: string;
  /** From third to first place; a tie gives several entries with the same place. */
  places: CeremonyPlace[];
  placed: number;
  /** Why the results are not valid any more and are not announced, such as an entry that was withdrawn after the seal. */
  blockers: string[];
}

export interface Ceremony {
  event: { name: string; date: string };
  categories: CeremonyCategory[];
}

export function useJudges() {
  return useSWR<{ items: Judge[]; applications: Application[] }, unknown>(["/api", "judges"], { revalidateOnMount: true });
}

export function useCategories() {
  return useSWR<{ items: Overview[] }, unknown>(["/api", "judging"], { revalidateOnMount: true });
}

/** Loads a category; reloads every ten seconds while it is being scored. */
function useCategory(path: string) {
  return useSWR<Detail, unknown>(["/api", "judging", path], { revalidateOnMount: true, refreshInterval: (read) => (read?.state === "scoring" ? 10_000 : 0) });
}

/** A sheet that was typed in from paper and is not verified yet. */
export interface TypedSheet {
  typedBy: string;
  savedAt: string;
  scores: { criterion: string; points: number }[];
  penalties: { penalty: string; points: number }[];
  comment: string;
}

export function useTyped(path: string, { judge, code }: { judge: number; code: string }) {
  const query = new URLSearchParams({ judge: String(judge), code });
  return useSWR<TypedSheet, unknown>(["/api", "judging", path, `paper?${query}`], { revalidateOnMount: true });
}

export function useCeremony() {
  return useSWR<Ceremony, unknown>(["/api", "judging", "ceremony"], { revalidateOnMount: true });
}

export function useCertificates(kind: string, of: { category: string; subCategory: string } | undefined) {
  const query = new URLSearchParams({ ...(kind && { kind }), ...of });
  return useSWR<{ items: Certificate[] }, unknown>(["/api", "judging", `certificates?${query}`], { revalidateOnMount: true });
}

export interface Invitation {
  name: string;
  email: string;
  applicationId?: number;
  /** Confirms the invitation despite the warning. */
  anyway?: true;
}

export const inviteJudge = (invitation: Invitation) => send("POST", "/api/judges", invitation);

/** The details shared with an entrant, if the server refused the invitation because of them. */
export function warningOf(error: unknown): string | undefined {
  return errorsOf(error).anyway;
}

export interface JudgeDetails {
  name: string;
  publicName: string;
  email: string;
  phone: string;
  instagram: string;
  businessName: string;
}

/** A new address gets a new link; earlier links stop working. */
export const changeJudge = (id: number, details: Partial<JudgeDetails>) => send("PATCH", `/api/judges/${id}`, details);

/** Ends all links and sessions of a judge, and emails a new link. */
export const replaceLink = (id: number) => send("POST", `/api/judges/${id}/link`, {});
export const removeJudge = (id: number) => send("DELETE", `/api/judges/${id}`);

type Step =
  | { action: "panel"; judges: number[]; head: number; reserves: number[] }
  | { action: "conflicts"; judge: number; code: string; reason: string }
  | { action: "conflicts/remove"; judge: number; code: string; reason: string }
  | { action: `relations/${string}/${"accept" | "reject"}`; reason: string }
  | { action: "second-looks"; judge: number; code: string }
  | { action: "second-looks/cancel"; judge: number; code: string }
  | { action: "tie"; order: string[]; reason: string }
  | { action: "seal" }
  | { action: "reopen"; reason: string; judge?: number; code?: string }
  | { action: "publish" }
  | { action: "paper"; judge: number; code: string; scores: { criterion: string; points: number }[]; penalties: { penalty: string; points: number }[]; comment: string }
  | { action: "paper/verify"; judge: number; code: string; savedAt: string | undefined };

/** Changes a category and returns it. */
function take(path: string, { action, ...body }: Step): Promise<Detail> {
  return requestJson(`/api/judging/${path}/${action}`, { method: "POST", body });
}

export function photoUrl(photo: string): string {
  return `${photo}?size=full`;
}

/** Changes the shown category; false when the server refused. */
export type Take = (step: Step, done: { title: string; message: string }) => Promise<boolean>;

/** Reads a category and changes it step by step. */
export function useCategorySteps(path: string) {
  const read = useCategory(path);
  const { busy, act } = useAction();
  const takeStep: Take = async (step, done) => {
    let isTaken = false;
    await act(
      async () => {
        await read.mutate(await take(path, step), { revalidate: false });
        isTaken = true;
      },
      done, "Nothing was changed. Please try again.",
    );
    return isTaken;
  };
  return { read, busy, take: takeStep };
}
