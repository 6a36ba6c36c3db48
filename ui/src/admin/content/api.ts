import useSWR from "swr";
import { createContext, useContext } from "react";
import { ApiError, errorsOf } from "../../lib/api-error";
import { request } from "../../lib/request";
import { saveVersion, versioned, type Versioned } from "../shell/versioned";
import type { Table, Value } from "./field-types";
import { bracketed, dotted, type Change } from "./values";

/** A difference between two versions of the content. A path is that in the newer one, except for what was removed. */
export type Difference =
  | { kind: "changed"; path: string; before: Value; value: Value }
  | { kind: "added"; path: string; value: Value }
  | { kind: "removed"; path: string; before: Value }
  | { kind: "moved"; path: string; from: number; value: Value }
  | { kind: "confirmed"; path: string; value: Value };

export interface Draft {
  content: Table;
  /** The number of the revision that it was begun from. */
  base: number;
  /** How it differs from what is live. */
  changes: Difference[];
  /** What was published after it was begun. */
  newer: { revision: number; changes: Difference[] } | null;
  /** The checker's sentences by path. None may be left when it is published. */
  problems: Record<string, string>;
  /** The paths of the tables that are samples, and of the texts that are to be confirmed. */
  samples: string[];
  /** The paths of texts of a former edition that name a date. Setting one confirms it. */
  unconfirmed: string[];
  savedAt: string | null;
  by: string | null;
}

export interface Revision {
  number: number;
  note: string;
  at: string | null;
  by: string | null;
  isLive?: boolean;
}

interface RevisionDetail extends Revision {
  changes: Difference[];
}

export interface Picture {
  name: string;
  alt: string;
  focus: { x: number; y: number };
  width: number;
  height: number;
  bytes: number;
  src: string;
  srcSet: string;
  usedBy: string[];
  version: string;
}

const draftPath = "/api/content/draft";

export function useStoredDraft() {
  return useSWR<Versioned<Draft>, unknown>(["/api", "content", "draft"], readDraft, { revalidateOnMount: true });
}

export async function readDraft(): Promise<Versioned<Draft>> {
  return withDots(await versioned(await request(draftPath)));
}

export async function saveChanges(changes: readonly Change[], tag: string): Promise<Versioned<Draft>> {
  const body = { changes: changes.map(({ path, value }) => ({ path: bracketed(path), value })) };
  return withDots(await saveVersion(draftPath, tag, { method: "PATCH", body }));
}

function withDots({ tag, value }: Versioned<Draft>): Versioned<Draft> {
  return { tag, value: { ...value, problems: dottedKeys(value.problems), samples: value.samples.map(dotted), unconfirmed: value.unconfirmed.map(dotted) } };
}

const dottedKeys = (texts: Record<string, string>) => Object.fromEntries(Object.entries(texts).map(([path, text]) => [dotted(path), text]));

/** The checker's sentences by path. */
export function problemsOf(error: unknown): Record<string, string> {
  return dottedKeys(errorsOf(error));
}

/** Publishes the draft; `over` is the newer revision that it replaces. */
export async function publish(note: string, tag: string, over: number | undefined): Promise<Revision> {
  const { value } = await saveVersion<unknown>(`${draftPath}/publish`, tag, { method: "POST", body: { note, over } });
  return value as Revision;
}

export async function discard(tag: string): Promise<Versioned<Draft>> {
  return withDots(await saveVersion(`${draftPath}/discard`, tag, { method: "POST", body: {} }));
}

export function useRevisions() {
  return useSWR<{ items: Revision[] }, unknown>(["/api", "content", "revisions"], { revalidateOnMount: true });
}

/** A revision with what it changed. */
export function useRevision(number: number) {
  return useSWR<RevisionDetail, unknown>(["/api", "content", "revisions", String(number)], { revalidateOnMount: true });
}

export async function restore(number: number, tag: string): Promise<Revision> {
  const { value } = await saveVersion<unknown>(`/api/content/revisions/${number}/restore`, tag, { method: "POST", body: {} });
  return value as Revision;
}

export function usePictures() {
  return useSWR<{ items: Picture[] }, unknown>(["/api", "content", "images"], { revalidateOnMount: true });
}

export async function addPicture(name: string, alt: string, focus: Picture["focus"], file: Blob): Promise<Picture> {
  const query = new URLSearchParams({ name, alt, focus: `${Math.round(focus.x)},${Math.round(focus.y)}` });
  // `request` sends JSON alone.
  const response = await fetch(`/api/content/images?${query}`, { method: "POST", headers: { "Content-Type": file.type || "application/octet-stream" }, body: file, credentials: "include" });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return (await response.json()) as Picture;
}

export const describePicture = ({ name, version }: Picture, alt: string) => saveVersion(`/api/content/images/${name}`, `"${version}"`, { method: "PATCH", body: { alt } });
export const removePicture = ({ name, version }: Picture) => saveVersion(`/api/content/images/${name}`, `"${version}"`, { method: "DELETE" });

interface LoadedDraft {
  /** The draft as the server has it. */
  saved: Versioned<Draft>;
  /** Shows a newer one. */
  set: (saved: Versioned<Draft>) => void;
  reload: () => Promise<unknown>;
}

export const DraftContext = createContext<LoadedDraft | null>(null);

export function useDraft(): LoadedDraft {
  const draft = useContext(DraftContext);
  if (!draft) throw new Error("The draft is not loaded.");
  return draft;
}
