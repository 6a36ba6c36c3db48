import { DetailedError, Upload } from "tus-js-client";
import { ApiError } from "../lib/api-error";
import { forgetFile, keepFile, preparePhoto, type KeptFile } from "./photo-files";

/**
 * The size of a chunk in bytes. After a broken connection, a chunk that has not arrived completely is sent again. The server holds each chunk
 * in memory while it arrives and reserves 16 MB for all of them: with chunks of 512 KB it refused most of those of a hundred slow phones.
 */
const chunkSize = 128 * 1024;
const mostAtOnce = 2;
/** In milliseconds. */
const retryDelays = [1_000, 3_000, 8_000, 20_000];
/** A request that makes no progress for this long is aborted and repeated. The server checks the photo after its last byte. */
const stalledAfter = 40_000;
const readWithin = 100_000;
const outdated = "Another photo was put here since. Please choose this one again if it is the right one.";

export interface Transfer {
  state: "waiting" | "sending" | "reading" | "offline" | "failed";
  sent: number;
  total: number;
  /** Why the upload failed. */
  message: string;
}

interface Running extends KeptFile {
  /** Whether the file can be sent: it is converted first, if need be. */
  isPrepared: boolean;
  upload?: Upload;
  /** The address at which the upload continues, which works even if the browser stores nothing. */
  url?: string | null;
  /** Whether the slot has had another photo since the file was chosen, so that this one is not sent. */
  isOutdated?: boolean;
  tries: number;
  timer?: ReturnType<typeof setTimeout>;
}

interface Events {
  isOutdated: (file: KeptFile) => Promise<boolean>;
  onStored: (nomination: number) => void;
  onSignedOut: () => void;
}

export function transferKey(nomination: number, slot: string): string {
  return `${nomination}/${slot}`;
}

/**
 * The uploads of this page. All are created on the server at once, because one that began before the deadline may be finished
 * after it. Two at a time are sent. Each continues after a break by itself.
 */
export class Uploads {
  #shown: ReadonlyMap<string, Transfer> = new Map();
  #files = new Map<string, Running>();
  #active = new Set<string>();
  #listeners = new Set<() => void>();
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  shown = (): ReadonlyMap<string, Transfer> => this.#shown;

  /** Retries at once when the connection or the page comes back. Returns a function that ends all uploads. */
  start(): () => void {
    const resume = () => {
      if (document.visibilityState === "hidden" || !navigator.onLine) return;
      for (const [key, { state }] of this.#shown) if (state === "offline") void this.#restart(key);
    };
    addEventListener("online", resume);
    document.addEventListener("visibilitychange", resume);
    return () => {
      removeEventListener("online", resume);
      document.removeEventListener("visibilitychange", resume);
      for (const key of [...this.#files.keys()]) this.#drop(key);
    };
  }

  async add(file: KeptFile): Promise<void> {
    const key = transferKey(file.nomination, file.slot);
    this.#drop(key);
    const running: Running = { ...file, isPrepared: false, tries: 0 };
    this.#files.set(key, running);
    this.#show(key, { state: "waiting", sent: 0, total: file.file.size, message: "" });
    const prepared = await preparePhoto(file.file);
    // It may have been cancelled meanwhile.
    if (this.#files.get(key) !== running) return;
    running.file = prepared;
    await keepFile(running);
    running.isPrepared = true;
    if (this.#files.get(key) === running) this.#startNext();
  }

  /** Ends an upload and deletes what has arrived of it. */
  async cancel(nomination: number, slot: string): Promise<void> {
    const key = transferKey(nomination, slot);
    const upload = this.#files.get(key)?.upload;
    this.#drop(key);
    this.#startNext();
    await forgetFile(nomination, slot);
    await upload?.abort(true).catch(() => {});
  }

  #startNext(): void {
    for (const [key, { state }] of this.#shown) {
      const running = this.#files.get(key);
      if (state !== "waiting" || !running?.isPrepared) continue;
      const hasTurn = this.#active.size < mostAtOnce;
      if (hasTurn) {
        this.#active.add(key);
        this.#show(key, { state: "sending", total: running.file.size });
      }
      // One that is being created goes on by itself when it has its turn.
      if (running.url ? hasTurn : !running.upload) this.#send(key, running);
    }
  }

  /** Creates the upload, if it is not yet, and sends the file, if it has its turn. */
  #send(key: string, running: Running): void {
    const { nomination, slot, file } = running;
    const isCurrent = () => this.#files.get(key) === running && running.upload === upload;
    let isOutdated = false;
    const upload: Upload = new Upload(file, {
      endpoint: "/api/artist/uploads",
      chunkSize,
      retryDelays: null,
      // The file's name is not sent, because it may contain a person's name.
      metadata: { nomination: String(nomination), slot },
      removeFingerprintOnSuccess: true,
      ...(running.url ? { uploadUrl: running.url } : {}),
      fingerprint: () => Promise.resolve(`artist-portal/${key}/${file.size}/${file.lastModified}`),
      onProgress: (sent, total) => {
        if (!isCurrent()) return;
        running.tries = 0;
        this.#watch(key, sent === total ? readWithin : stalledAfter);
        this.#show(key, { state: sent === total ? "reading" : "sending", sent, total: total ?? file.size });
      },
      // Before the offset is read: an upload that ends in between is then complete.
      onBeforeRequest: async (request) => {
        if (request.getMethod() === "HEAD" && isCurrent()) isOutdated = await this.#isOutdated(running);
      },
      // Without this, the library would begin again from the first byte.
      onAfterResponse: (request, response) => {
        const status = response.getStatus();
        if (request.getMethod() !== "HEAD" || !isCurrent()) return;
        if (status === 401) this.#events.onSignedOut();
        if (status === 401 || status === 429 || status >= 500) throw new Error(`${status} for the offset`);
        // Of one that has arrived completely, it may be the photo itself that is there. One that has expired would begin again.
        running.isOutdated = isOutdated && (status >= 300 || Number(response.getHeader("Upload-Offset")) < file.size);
        if (running.isOutdated) throw new Error("another photo is there");
      },
      onUploadUrlAvailable: () => {
        if (!isCurrent()) return;
        running.url = upload.url;
        if (this.#active.has(key)) return;
        clearTimeout(running.timer);
        void upload.abort().catch(() => {});
      },
      onSuccess: () => isCurrent() && this.#stored(key),
      onError: (error) => isCurrent() && this.#failed(key, error),
    });
    running.upload = upload;
    this.#watch(key, stalledAfter);
    void upload.findPreviousUploads().then(([previous]) => {
      if (!isCurrent()) return;
      if (previous) upload.resumeFromPreviousUpload(previous);
      upload.start();
    });
  }

  #watch(key: string, time: number): void {
    const running = this.#files.get(key);
    if (!running) return;
    clearTimeout(running.timer);
    running.timer = setTimeout(() => this.#pause(key), time);
  }

  #stored(key: string): void {
    const running = this.#files.get(key);
    this.#drop(key);
    this.#startNext();
    if (!running) return;
    void forgetFile(running.nomination, running.slot);
    this.#events.onStored(running.nomination);
  }

  #failed(key: string, error: Error | DetailedError): void {
    if (this.#files.get(key)?.isOutdated) return this.#refuse(key, outdated);
    const response = error instanceof DetailedError ? error.originalResponse : null;
    const status = response?.getStatus() ?? 0;
    if (canBeRetried(status)) return this.#pause(key);
    if (status === 401) return this.#events.onSignedOut();
    this.#refuse(key, refusalOf(status, response?.getBody() ?? ""));
  }

  #refuse(key: string, message: string): void {
    const running = this.#files.get(key);
    clearTimeout(running?.timer);
    this.#active.delete(key);
    this.#show(key, { state: "failed", message });
    if (running) void forgetFile(running.nomination, running.slot);
    if (running?.isOutdated) this.#events.onStored(running.nomination);
    this.#startNext();
  }

  /** Waits for the connection, at most for a while: not every break is announced. */
  #pause(key: string): void {
    const running = this.#files.get(key);
    if (!running) return;
    running.url = running.upload?.url ?? running.url;
    void running.upload?.abort().catch(() => {});
    running.upload = undefined;
    clearTimeout(running.timer);
    this.#active.delete(key);
    this.#show(key, { state: "offline" });
    running.timer = setTimeout(() => void this.#restart(key), retryDelays[running.tries] ?? retryDelays.at(-1));
    running.tries += 1;
    this.#startNext();
  }

  async #restart(key: string): Promise<void> {
    const running = this.#files.get(key);
    clearTimeout(running?.timer);
    if (!running || !navigator.onLine) return;
    // One that was created asks where it continues first.
    if (!running.url && await this.#isOutdated(running)) running.isOutdated = true;
    if (this.#files.get(key) !== running || this.#shown.get(key)?.state !== "offline") return;
    if (running.isOutdated) return this.#refuse(key, outdated);
    this.#show(key, { state: "waiting" });
    this.#startNext();
  }

  /** Whether the slot has had another photo since the file was chosen, for instance from another device. */
  #isOutdated(file: KeptFile): Promise<boolean> {
    return this.#events.isOutdated(file).catch(() => false);
  }

  #drop(key: string): void {
    const running = this.#files.get(key);
    clearTimeout(running?.timer);
    void running?.upload?.abort().catch(() => {});
    this.#files.delete(key);
    this.#active.delete(key);
    const shown = new Map(this.#shown);
    if (shown.delete(key)) this.#publish(shown);
  }

  #show(key: string, change: Partial<Transfer>): void {
    const before = this.#shown.get(key) ?? { state: "waiting", sent: 0, total: 0, message: "" };
    this.#publish(new Map(this.#shown).set(key, { ...before, ...change }));
  }

  #publish(shown: ReadonlyMap<string, Transfer>): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether to try again: after no answer, a wrong offset, or a refusal that the server calls temporary. */
export function canBeRetried(status: number): boolean {
  return status === 0 || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Why the server refused a photo or a video. */
export function refusalOf(status: number, body: string): string {
  if (status === 413) return "The file is too large. A photo may have 25 MB, a video 100 MB.";
  const { detail, errors = {} } = new ApiError(status, "", body).problem;
  return errors.slot ?? detail ?? "The photo could not be uploaded. Please choose it again.";
}
