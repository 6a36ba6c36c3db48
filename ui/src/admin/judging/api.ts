import useSWR from "swr";
import type { Ceremony, Certificate, JudgedCategory, JudgedCategoryDetail, Judges, TypedSheet } from "../../lib/answer-types";
import { errorsOf } from "../../lib/api-error";
import { requestJson, send } from "../../lib/request";
import { useAction } from "../shell/use-form";

export const roles = { judge: "Judge", head: "Head judge", reserve: "Reserve" } as const;

export function useJudges() {
  return useSWR<Judges, unknown>(["/api", "judges"], { revalidateOnMount: true });
}

export function useCategories() {
  return useSWR<{ items: JudgedCategory[] }, unknown>(["/api", "judging"], { revalidateOnMount: true });
}

/** Loads a category; reloads every ten seconds while it is being scored. */
function useCategory(path: string) {
  return useSWR<JudgedCategoryDetail, unknown>(["/api", "judging", path], { revalidateOnMount: true, refreshInterval: (read) => (read?.state === "scoring" ? 10_000 : 0) });
}

/** A sheet that was typed in from paper and is not verified yet. */
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
  | { action: "paper/verify"; judge: number; code: string; savedAt: string | null | undefined };

/** Changes a category and returns it. */
function take(path: string, { action, ...body }: Step): Promise<JudgedCategoryDetail> {
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
