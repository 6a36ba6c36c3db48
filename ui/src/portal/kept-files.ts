import { clear, createStore, del, entries, set } from "idb-keyval";

// Photos that are being uploaded, so that an upload continues after a reload without choosing the file again. The
// browser may refuse to keep anything: the photo must then be chosen again.

export interface KeptFile {
  nomination: number;
  slot: string;
  file: File;
}

let opened: ReturnType<typeof createStore> | undefined;

function store() {
  return (opened ??= createStore("artist-portal", "files"));
}

const keyOf = (nomination: number, slot: string) => `${nomination}/${slot}`;

export async function keepFile({ nomination, slot, file }: KeptFile): Promise<void> {
  await set(keyOf(nomination, slot), file, store()).catch(() => {});
}

export async function forgetFile(nomination: number, slot: string): Promise<void> {
  await del(keyOf(nomination, slot), store()).catch(() => {});
}

export async function forgetFiles(): Promise<void> {
  await clear(store()).catch(() => {});
}

export async function keptFiles(): Promise<KeptFile[]> {
  try {
    const all = await entries<string, File>(store());
    return all.map(([key, file]) => {
      const [nomination = "", slot = ""] = key.split("/");
      return { nomination: Number(nomination), slot, file };
    });
  } catch {
    return [];
  }
}
