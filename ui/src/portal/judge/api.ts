import { ApiError } from "../../lib/api-error";
import { requestJson, send } from "../../lib/request";
import { sessionCalls } from "../session";
import type { BlindSheet as Sheet, HeadCategory as PanelOfCategory, NamesOfCategory as PeopleOfCategory, Work } from "./work-types";

export interface Terms {
  version: string;
  text: string;
  accepted: boolean;
}

export interface Session {
  /** Stays the same when the organiser changes the address. */
  id: number;
  email: string;
  name: string;
  terms: Terms;
}

export const sheetStates = { open: "Open", saved: "Saved", confirmed: "Confirmed", recused: "Not yours to score", second_look: "Second look" } as const;

export type {
  BlindCriterion as Criterion, BlindPenalty as Penalty, BlindPhoto as JudgePhoto, BlindSheet as Sheet, HeadCategory as PanelOfCategory, Item,
  Name as Person, NamesOfCategory as PeopleOfCategory, Tie, Work, WorkCategory as Category,
} from "./work-types";

/** One value that the judge has given, with its own id, so that sending it again changes nothing, and the rubric that the judge saw. */
export type Change = { id: string; at: string; rubricVersion?: string } & Value;
export type Value = { criterion: string; points: number } | { penalty: string; points: number } | { comment: string };

export const { askForLink, signIn, signOut } = sessionCalls("/api/judge");

function post<Reply>(path: string, body: unknown): Promise<Reply> {
  return requestJson(path, { method: "POST", body });
}

/** Whether the judge has to accept the terms in force first. */
export function needsTerms(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === "terms_required";
}

/** Whether the nomination is not judged now, but may be again. */
export function isNotJudged(error: unknown): boolean {
  return error instanceof ApiError && error.problem.code === "not_being_judged";
}

/** The signed-in judge; null if nobody is signed in. */
export async function askSession(): Promise<Session | null> {
  const session = await requestJson<{ signedIn: false } | ({ signedIn: true } & Session)>("/api/judge/session");
  return session.signedIn ? session : null;
}

export function acceptTerms(version: string): Promise<Terms> {
  return post("/api/judge/terms", { accepted: true, version });
}

export function readWork(): Promise<Work> {
  return requestJson("/api/judge/work");
}

const sheetPath = (token: string, part = "") => `/api/judge/sheets/${encodeURIComponent(token)}${part}`;

export function readSheet(token: string): Promise<Sheet> {
  return requestJson(sheetPath(token));
}

export function sendChanges(token: string, changes: Change[]): Promise<Sheet> {
  return requestJson(sheetPath(token, "/scores"), { method: "PUT", body: { changes }, signal: AbortSignal.timeout(20_000) });
}

/** Confirms the version of a sheet that the judge has seen. */
export function confirmSheet({ token, version }: Sheet): Promise<Sheet> {
  return post(sheetPath(token, "/confirm"), { version });
}

/** Withdraws the judge from a sheet: because of a conflict, or as an abstention without one. */
export function recuse(token: string, reason: string, conflict: boolean): Promise<Sheet> {
  return post(sheetPath(token, "/recuse"), { reason, conflict });
}

export function answerSecondLook(token: string, answer: ({ keep: true } | { changes: Change[] }) & { reason?: string; askedAt: string | null }): Promise<Sheet> {
  return post(sheetPath(token, "/second-look"), answer);
}

export const breakTie = (token: string, order: string[], reason: string, since: string | null) => send("POST", sheetPath(token, "/tie"), { order, reason, since });

export async function readPeople(): Promise<PeopleOfCategory[]> {
  return (await requestJson<{ categories: PeopleOfCategory[] }>("/api/judge/conflicts")).categories;
}

export async function declareConflicts(tokens: string[], reason: string): Promise<PeopleOfCategory[]> {
  return (await post<{ categories: PeopleOfCategory[] }>("/api/judge/conflicts", { tokens, reason })).categories;
}

export async function readPanel(): Promise<PanelOfCategory[]> {
  return (await requestJson<{ categories: PanelOfCategory[] }>("/api/judge/panel")).categories;
}

export async function reopen(sheet: { category: string; subCategory: string; judge: number; code: string; reason: string }): Promise<PanelOfCategory[]> {
  return (await post<{ categories: PanelOfCategory[] }>("/api/judge/reopen", sheet)).categories;
}

export function photoPath(token: string, size: "full" | "thumbnail"): string {
  return `/api/judge/photos/${encodeURIComponent(token)}?size=${size}`;
}
