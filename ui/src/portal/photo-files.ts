import { clear, createStore, del, entries, set, type UseStore } from "idb-keyval";

// Photos that are being uploaded, so that an upload continues after a reload without choosing the file again. The
// browser may refuse to store anything; then the photo must be chosen again.

export interface KeptFile {
  nomination: number;
  slot: string;
  file: File;
  /** The id of the slot's photo when the file was chosen; null if there was none. */
  replaces: number | null;
}

type Stored = Pick<KeptFile, "file" | "replaces">;

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
    return { nomination: Number(nomination), slot, ...stored };
  });
}

/** The longest side of a converted photo, in pixels. Phones have little memory for a canvas. */
const longestSide = 4096;
const quality = 0.92;

/** The file as it is, or as a JPEG where this browser reads its format and the server may not: AVIF, and a HEIC of very many pixels. */
export async function preparePhoto(file: File): Promise<File> {
  // The family of AVIF, HEIC and films (ISO/IEC 14496-12).
  if (file.type.startsWith("video/") || await file.slice(4, 8).text() !== "ftyp") return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(bitmap.width * scale);
    canvas.height = Math.round(bitmap.height * scale);
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const blob = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, "image/jpeg", quality));
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg", lastModified: file.lastModified }) : file;
  } catch {
    return file;
  }
}
