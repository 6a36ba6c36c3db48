import type { KnownJudges, OwnNomination, OwnNominations, Relation, ReleaseText, ScoreSheet, VerifiedCertificate } from "../lib/answer-types";
import { requestJson, send } from "../lib/request";
import { sessionCalls } from "./session";

interface Signature {
  name: string;
  adult: boolean;
  guardian?: string;
  signature: string;
  accepted: boolean;
  version: string;
}

export const { askForLink, signIn, signOut } = sessionCalls("/api/artist");

/** The address of the signed-in competitor; null if nobody is signed in. */
export async function askSession(): Promise<string | null> {
  const session = await requestJson<{ signedIn: boolean; email?: string }>("/api/artist/session");
  return session.signedIn ? session.email ?? "" : null;
}

/** The nominations, and the codes of the valid tickets for the same address. */
export function readNominations(): Promise<OwnNominations> {
  return requestJson("/api/artist/nominations");
}

export function readNomination(id: number): Promise<OwnNomination> {
  return requestJson(`/api/artist/nominations/${id}`);
}

/** What the judges gave a nomination, as its competitor sees it. Points are text with two decimals. */
export function readScoreSheet(id: number): Promise<ScoreSheet> {
  return requestJson(`/api/artist/nominations/${id}/score-sheet`);
}

/** What anybody may know of a certificate. */
export function readCertificate(code: string): Promise<VerifiedCertificate> {
  return requestJson(`/api/verify/${encodeURIComponent(code)}`);
}

export function handIn(id: number, ticks: Record<string, true>): Promise<OwnNomination> {
  return requestJson(`/api/artist/nominations/${id}/hand-in`, { method: "POST", body: { ticks } });
}

export const removePhoto = (id: number) => send("DELETE", `/api/artist/media/${id}`);

export function photoPath(id: number, size: "full" | "thumbnail"): string {
  return `/api/artist/media/${id}?size=${size}`;
}

export function readRelease(key: string): Promise<ReleaseText> {
  return requestJson(`/api/releases/${encodeURIComponent(key)}`);
}

export function signRelease(key: string, signature: Signature): Promise<ReleaseText> {
  return requestJson(`/api/releases/${encodeURIComponent(key)}`, { method: "POST", body: signature });
}

export const relationKinds = { trained_by: "I was trained by", works_for: "I work for", related_to: "I am related to" } as const;

/** "I was trained by Ada Sample" */
export function relationText({ judge, kind }: Relation): string {
  return `${relationKinds[kind]} ${judge}`;
}

export function readRelations(): Promise<KnownJudges> {
  return requestJson("/api/artist/relations");
}

/** Replaces all relations that the competitor has declared. */
export function declareRelations(items: Relation[]): Promise<KnownJudges> {
  return requestJson("/api/artist/relations", { method: "PUT", body: { items } });
}
