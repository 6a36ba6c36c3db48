import { clear, createStore, del, entries, set, type UseStore } from "idb-keyval";

// Photos that are being uploaded, so that an upload continues after a reload without choosing the file again. The
// browser may refuse to store anything; then the photo must be chosen again.

export interface KeptFile {
  nomination: number;
  slot: string;
  file: File;
  /** The id of the slot's photo when the file was chosen; null if there was none. Earlier versions kept none. */
  replaces?: number | null;
}

type Stored = Pick<KeptFile, "file" | "replaces"> | File;

let opened: UseStore | undefined;

async function withStore<Result>(task: (store: UseStore) => Promise<Result>, refused: Result): Promise<Result> {
  try {
    opened ??= createStore("artist-portal", "files");
    return await task(opened);
  } catch {
    return refused;
  }
}

const keyOf = (nomination: number, slot: string) => `${nomination}/${slot}`;

export function keepFile({ nomination, slot, file, replaces }: KeptFile): Promise<void> {
  return withStore((store) => set(keyOf(nomination, slot), { file, replaces } satisfies Stored, store), undefined);
}

export function forgetFile(nomination: number, slot: string): Promise<void> {
  return withStore((store) => del(keyOf(nomination, slot), store), undefined);
}

export function forgetFiles(): Promise<void> {
  return withStore(clear, undefined);
}

export async function keptFiles(): Promise<KeptFile[]> {
  const all = await withStore((store) => entries<string, Stored>(store), []);
  return all.map(([key, stored]) => {
    const [nomination = "", slot = ""] = key.split("/");
    return { nomination: Number(nomination), slot, ...(stored instanceof File ? { file: stored } : stored) };
  });
}
