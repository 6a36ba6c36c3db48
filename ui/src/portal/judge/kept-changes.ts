import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import type { Change } from "./api";

// Changes that have not reached the server yet, one record each, so that two tabs never overwrite each other's. If the
// browser refuses to store anything, they are lost when the page is closed.

export interface KeptChange {
  sheet: string;
  change: Change;
  /** The id of the judge who gave it. Earlier versions kept none. */
  judge?: number;
}

let opened: UseStore | undefined;

async function withStore<Result>(task: (store: UseStore) => Promise<Result>, refused: Result): Promise<Result> {
  try {
    opened ??= createStore("judge", "changes");
    return await task(opened);
  } catch {
    return refused;
  }
}

export function keepChange(kept: KeptChange): Promise<void> {
  return withStore((store) => set(kept.change.id, kept, store), undefined);
}

export function forgetChange(id: string): Promise<void> {
  return withStore((store) => del(id, store), undefined);
}

/** The stored changes of a judge, oldest first. */
export async function keptChanges(judge: number): Promise<KeptChange[]> {
  const all = await withStore((store) => entries<string, KeptChange>(store), []);
  return all.map(([, kept]) => kept).filter((kept) => (kept.judge ?? judge) === judge).sort((a, b) => a.change.at.localeCompare(b.change.at));
}
