import { useEffect, useSyncExternalStore, useEffectEvent } from "react";
import { photoPath, readSheet, type Sheet, type Value } from "./api";
import { withWaiting } from "./changes";
import type { ScoringContext } from "./scoring";

/** How many nominations after the shown one are loaded ahead, with their photos. */
const ahead = 2;
/** How many nominations' photos are kept decoded or encoded by the browser for this page. */
const keptPhotos = 5;

type Read = { sheet: Sheet; error?: undefined } | { sheet?: undefined; error: unknown };

/** The sheets that have been loaded, with the photos of the next ones. They remain available without a connection. */
export class Sheets {
  #read = new Map<string, Read>();
  /** Holding the images keeps the browser from requesting them again. */
  #photos = new Map<string, HTMLImageElement[]>();
  /** The sheets whose photos have all arrived. */
  #complete = new Set<string>();
  #listeners = new Set<() => void>();
  /** How often each sheet came as the answer to a change: a read that began before it may be older. */
  #changes = new Map<string, number>();
  /** The values of a second look by sheet, which are sent together, with its reason. */
  readonly secondLooks = new Map<string, readonly Value[]>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get = (token: string): Read | undefined => this.#read.get(token);

  /** How many of the nominations after this one can be scored without a connection, photos included. */
  ready(token: string): number {
    let count = 0;
    let next = this.#read.get(token)?.sheet?.next;
    while (next && this.#complete.has(next) && count < ahead) {
      count += 1;
      next = this.#read.get(next)?.sheet?.next;
    }
    return count;
  }

  /** Takes a sheet that the server sent after a change. */
  put(sheet: Sheet): void {
    this.#changes.set(sheet.token, (this.#changes.get(sheet.token) ?? 0) + 1);
    this.#set(sheet.token, { sheet });
  }

  /** Loads a sheet again. If that fails, the earlier one stays. */
  async load(token: string): Promise<Sheet | undefined> {
    try {
      const changes = this.#changes.get(token);
      const sheet = await readSheet(token);
      if (this.#changes.get(token) !== changes) return this.#read.get(token)?.sheet;
      this.#set(token, { sheet });
      return sheet;
    } catch (error) {
      if (!this.#read.get(token)?.sheet) this.#set(token, { error });
      return undefined;
    }
  }

  /** Loads the sheets after this one, with their photos, before the judge opens them. */
  async prefetch(sheet: Sheet): Promise<void> {
    this.#hold(sheet);
    let next = sheet.next;
    for (let count = 0; count < ahead && next !== null; count += 1) {
      const found: Sheet | undefined = this.#read.get(next)?.sheet ?? await this.load(next);
      if (!found) return;
      this.#hold(found);
      next = found.next;
    }
  }

  #hold({ token, photos }: Sheet): void {
    const held = this.#photos.get(token);
    const images = held ?? photos.flatMap((photo) => (["full", "thumbnail"] as const).map((size) => {
      const image = new Image();
      image.src = photoPath(photo.token, size);
      return image;
    }));
    this.#photos.delete(token);
    this.#photos.set(token, images);
    for (const oldest of [...this.#photos.keys()].slice(0, -keptPhotos)) {
      this.#photos.delete(oldest);
      this.#complete.delete(oldest);
    }
    if (!held) void Promise.all(images.map(arrived)).then(() => this.#completed(token), () => this.#photos.delete(token));
  }

  #completed(token: string): void {
    if (!this.#photos.has(token)) return;
    this.#complete.add(token);
    this.#tell();
  }

  #set(token: string, read: Read): void {
    this.#read.set(token, read);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function arrived(image: HTMLImageElement): Promise<void> {
  return new Promise((settle, fail) => {
    image.onload = () => settle();
    image.onerror = fail;
  });
}

/** A sheet as its judge has left it; the sheets after it are loaded meanwhile. */
export function useSheet(token: string, { sheets, sending }: ScoringContext): { sheet: Sheet | undefined; error: unknown } {
  const read = useSyncExternalStore(sheets.subscribe, () => sheets.get(token), () => undefined);
  useEffect(() => {
    let isLeft = false;
    // A sheet that was loaded before is shown at once, and loaded again.
    const known = sheets.get(token)?.sheet;
    void sheets.load(token).then((loaded) => {
      const sheet = loaded ?? known;
      if (sheet && !isLeft) void sheets.prefetch(sheet);
    });
    return () => {
      isLeft = true;
    };
  }, [sheets, token]);
  const values = sending.waiting.filter((kept) => kept.sheet === token).map(({ change }) => change);
  return { sheet: read?.sheet && withWaiting(read.sheet, values), error: read?.error };
}

/** Calls the function of the pressed key, unless the focus is in a field or in a video, which has its own shortcuts. */
export function useKeys(keys: Record<string, (() => void) | undefined>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog, video")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
