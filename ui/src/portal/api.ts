import type { NominationState, Relation, ScoreSheet as ScoreSheetAnswer } from "../lib/answer-types";
import { requestJson, send } from "../lib/request";
import type { Certificate } from "./print/certificate";
import { sessionCalls } from "./session";

export interface Photo {
  id: number;
  kind: "photo" | "video";
  width: number;
  height: number;
  bytes: number;
  createdAt: string;
}

/** A slot for a photo or video that the category asks for. */
export interface Slot {
  key: string;
  kind: "photo" | "video";
  label: string;
  hint: string;
  required: boolean;
  /** The minimum pixels of the longer side; 0 for no minimum. */
  minPixels: number;
  /** Whether its photo may be replaced or removed now. */
  open: boolean;
  media: Photo | null;
}

export interface Nomination {
  id: number;
  code: string;
  state: NominationState;
  label: string;
  category: string;
  subCategory: string;
  deadline: string | null;
  handedInAt: string | null;
  /** When the organiser last asked for photos again. */
  returnedAt: string | null;
  /** Why it was returned, forfeited or disqualified. */
  reason: string | null;
  /** Whether its state and the time allow handing in, whatever is missing. No slot needs to be open for that. */
  canHandIn: boolean;
  /** The keys of required slots without a photo, and "release". */
  missing: string[];
  slots: Slot[];
  ticks: { key: string; label: string }[];
  /** `paper` is for a photo of a release that the model signed on paper. */
  release: { key: string; signed: boolean; paper: Slot };
  /** Whether its results are published. */
  scoreSheet?: boolean;
}

/** What the judges gave a nomination, as its competitor sees it. Points are text with two decimals. */
export type ScoreSheet = ScoreSheetAnswer & { certificate: Pick<Certificate, "code" | "verifyUrl"> | null };

/** What anybody may know of a certificate. */
export type Verified = Pick<Certificate, "kind" | "name" | "label" | "place"> & { event: string; date: string };

export interface ReleaseText {
  text: string;
  version: string;
  signed: boolean;
}

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
export function readNominations(): Promise<{ items: Nomination[]; tickets: string[] }> {
  return requestJson("/api/artist/nominations");
}

export function readNomination(id: number): Promise<Nomination> {
  return requestJson(`/api/artist/nominations/${id}`);
}

export function readScoreSheet(id: number): Promise<ScoreSheet> {
  return requestJson(`/api/artist/nominations/${id}/score-sheet`);
}

export function readCertificate(code: string): Promise<Verified> {
  return requestJson(`/api/verify/${encodeURIComponent(code)}`);
}

export function handIn(id: number, ticks: Record<string, true>): Promise<Nomination> {
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

/** The judges whom a competitor may know, and whom they know. */
export interface KnownJudges {
  /** The judges whom the site names. */
  judges: string[];
  /** What the competitor has declared. */
  items: Relation[];
}

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
