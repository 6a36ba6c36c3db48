import { del, getMany, set } from "idb-keyval";
import type { DoorSnapshot, Scan } from "../lib/answer-types";
import { ApiError } from "../lib/api-error";
import { newIdempotencyKey } from "../lib/idempotency-key";
import { OfflineQueue } from "../lib/offline-queue";
import { serverNow } from "../lib/clock";
import { isFinal, isSignedOut, signInByLink, tokenIn } from "../portal/session";
import { openSession, readList, sendScans, sendUndo } from "./api";
import { decide, letsIn, type Decision, type OwnScan } from "./decide";
import { keepPage } from "./phone";
import { toneOf } from "./words";

/** In milliseconds. */
const pollEvery = 15_000;
/** How long own scans are kept, in milliseconds: a server is restored from a backup within days. */
const keptFor = 14 * 24 * 3_600_000;
/** At most this many scans in one request. */
const batchSize = 100;
/** In milliseconds. For this long, whoever was scanned is still at the door. */
const correctedFor = 60_000;
/** Enough for an id among the scans of an event. All of them are in the list that phones read. */
const idLength = 16;

export interface Kept {
  list: DoorSnapshot;
  tag: string | undefined;
  /** When the server last said that this is its list, by this device's clock. */
  confirmedAt: number;
  /** How far the server's clock was then ahead of this device's, in milliseconds. */
  offset: number;
}

export interface Shown {
  /** "unknown": it was never opened. "ended": it was, and is not any more. */
  access: "opening" | "open" | "unknown" | "ended";
  kept: Kept | undefined;
  /** The key of the list that this device lets in to, and the day on which the volunteer has chosen it. */
  chosen: { key: string; day: string } | undefined;
  /** Whether the last request got an answer. */
  isOnline: boolean;
  /** Whether the device stores what it is given. */
  isStored: boolean;
  own: readonly OwnScan[];
  waiting: number;
  /** A scan to which the server has just answered something else than this device. */
  corrected: OwnScan | undefined;
  /** Whether the page opens again without a network. */
  isPageKept: boolean;
}

/** The event's time, though this phone's clock may be wrong. Kept lists of earlier versions have no offset. */
export const eventNow = (kept: Kept | undefined) => serverNow() + (kept?.offset ?? 0);
/** The day on this phone. */
export const today = () => new Date().toDateString();
/** Whether a scan that the server has was undone here only. */
export const isUndoWaiting = (scan: OwnScan) => scan.state === "sent" && !!scan.undoneAt && !scan.isUndoSent;

/** This phone at the door: the list that it decides by, and the scans that the server may not have yet. */
export class Device {
  #shown: Shown = { access: "opening", kept: undefined, chosen: undefined, isOnline: true, isStored: true, own: [], waiting: 0, corrected: undefined, isPageKept: true };
  #listeners = new Set<() => void>();
  readonly #queue = new OfflineQueue<OwnScan>({ name: "door", idOf: ({ id }) => id, send: () => this.#sync(), onChange: () => this.#showScans() });

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  shown = (): Shown => this.#shown;

  /** Opens the device with the token of the address or as what it was before, and keeps it up to date. */
  start(): () => void {
    let isStopped = false;
    let stop = () => {};
    void this.#stored(() => getMany<unknown>(["door-list", "door-choice"])).then(([kept, choice] = []) => {
      if (kept) this.#show({ kept: kept as Kept, access: "open" });
      this.#show({ chosen: choice as Shown["chosen"] });
      if (!isStopped) stop = this.#queue.start();
    });
    const timer = setInterval(() => void this.#queue.flush(), pollEvery);
    const flush = () => void this.#queue.flush();
    addEventListener("hashchange", flush);
    void keepPage().then((isPageKept) => this.#show({ isPageKept }));
    // Without this the browser may delete what waits when the phone's storage is full.
    void navigator.storage?.persist?.().catch(() => {});
    return () => {
      isStopped = true;
      clearInterval(timer);
      removeEventListener("hashchange", flush);
      stop();
    };
  }

  /** For today: a phone that restarts in the evening goes on with the gala. */
  choose(key: string): void {
    const chosen = { key, day: today() };
    this.#show({ chosen });
    void this.#stored(() => set("door-choice", chosen));
  }

  /** Takes a scan of a code and answers from what the device knows. It is stored before the answer is shown. */
  async scan(code: string, list: string, more: Pick<Scan, "walkIn" | "anyway"> = {}): Promise<OwnScan> {
    const decision: Decision = this.#shown.kept ? decide(this.#shown.kept.list, this.#queue.items(), list, code) : { result: "unknown" };
    const result = more.walkIn && decision.result === "unknown" ? "walk_in" : decision.result;
    const { first } = decision;
    const scan: OwnScan = { id: newIdempotencyKey().slice(0, idLength), code, list, at: new Date(serverNow()).toISOString(), ...more, result, shown: result, state: "waiting", first: first && { at: first.at, device: first.device } };
    await this.#queue.put(scan);
    void this.#queue.flush();
    return scan;
  }

  async undo(id: string): Promise<void> {
    const scan = this.#queue.get(id);
    const undone = { undoneAt: new Date(serverNow()).toISOString() };
    // Of another device: only the server has it.
    if (!scan) await sendUndo(id);
    // A scan that waits is sent all the same, and then taken back: it may be on its way already.
    else await this.#queue.put({ ...scan, ...undone });
    void this.#queue.flush();
  }

  async #sync(): Promise<void> {
    const hasToken = tokenIn(location.hash) !== undefined;
    // The server of a later event would count the scans of this one as its own.
    const former = this.#queue.items().filter(({ state, at }) => state !== "waiting" && Date.parse(at) < serverNow() - keptFor);
    if (former.length > 0) await this.#queue.forget(former.map(({ id }) => id));
    const isClosed = this.#shown.access === "ended" || this.#shown.access === "unknown";
    if (isClosed && !hasToken && !this.#queue.items().some(({ state }) => state === "waiting")) return;
    try {
      if (hasToken) await this.#open();
      // First of all: the scans of a device that was ended are still taken for a day.
      await this.#sendScans();
      await this.#sendUndos();
      await this.#readList();
      this.#show({ access: "open", isOnline: true });
    } catch (error) {
      this.#show({ isOnline: error instanceof ApiError });
      if (isSignedOut(error)) {
        // Names are not kept on a phone that is no door device any more.
        await this.#stored(() => del("door-list"));
        this.#show({ access: this.#shown.kept || this.#shown.access === "ended" ? "ended" : "unknown", kept: undefined, corrected: undefined });
      }
      throw error;
    }
  }

  /** An old code that is scanned again does not close a device that is open. */
  async #open(): Promise<void> {
    await signInByLink(openSession).catch((error: unknown) => {
      if (!isSignedOut(error)) throw error;
    });
  }

  async #sendScans(): Promise<void> {
    for (;;) {
      const waiting = this.#queue.items().filter(({ state }) => state === "waiting").sort((one, other) => one.at.localeCompare(other.at));
      if (waiting.length === 0) return;
      const batch = waiting.slice(0, batchSize);
      try {
        await this.#send(batch, waiting.length - batch.length);
      } catch (error) {
        if (!isFinal(error) || isSignedOut(error)) throw error;
        // The server takes all or none: one that it refuses must not keep back the others.
        for (const scan of batch) await this.#sendAlone(scan);
      }
    }
  }

  async #sendAlone(scan: OwnScan): Promise<void> {
    try {
      await this.#send([scan], 0);
    } catch (error) {
      if (!isFinal(error) || isSignedOut(error)) throw error;
      await this.#queue.put({ ...(this.#queue.get(scan.id) ?? scan), state: "refused" });
    }
  }

  async #send(batch: readonly OwnScan[], left: number): Promise<void> {
    const scans = batch.map(({ id, code, list, at, walkIn, anyway, shown }) => ({ id, code, list, at, walkIn, anyway, shown }));
    const results = await sendScans(scans, left);
    const answered = results.flatMap(({ id, result, first, counts }) => {
      const scan = this.#queue.get(id);
      const undone = counts === false && { undoneAt: scan?.undoneAt ?? new Date(serverNow()).toISOString(), isUndoSent: true };
      return scan ? [{ ...scan, result, first, state: "sent" as const, ...undone }] : [];
    });
    await this.#queue.put(...answered);
    const isCorrected = (scan: OwnScan) => scan.shown && toneOf(scan) !== toneOf({ ...scan, result: scan.shown });
    const corrected = answered.findLast((scan) => !scan.undoneAt && isCorrected(scan) && Date.parse(scan.at) > serverNow() - correctedFor);
    if (corrected) this.#show({ corrected });
  }

  async #sendUndos(): Promise<void> {
    for (const scan of this.#queue.items()) {
      if (!isUndoWaiting(scan)) continue;
      await sendUndo(scan.id).catch((error: unknown) => {
        if (!isFinal(error) || isSignedOut(error)) throw error;
      });
      await this.#queue.put({ ...scan, isUndoSent: true });
    }
  }

  async #readList(): Promise<void> {
    const before = this.#shown.kept;
    const sent = this.#queue.items().filter(({ state }) => state === "sent");
    const { list = before?.list, ...read } = await readList(before?.tag);
    if (!list) return;
    const kept = { list, ...read, confirmedAt: Date.now() };
    this.#show({ kept });
    await this.#stored(() => set("door-list", kept));
    if (list !== before?.list) await this.#compare(list, sent);
  }

  /**
   * A server that was restored from a backup lacks scans that it had, and counts others again that were taken back: both are sent
   * once more. To one that was taken back at another door it answers so. `sent`: as it was before the list was read.
   */
  async #compare(list: DoorSnapshot, sent: readonly OwnScan[]): Promise<void> {
    const known = new Set(list.scans.map(({ id }) => id));
    const lost = sent.filter((scan) => !scan.undoneAt && letsIn(scan) && !known.has(scan.id)).map(({ id }) => ({ id, state: "waiting" as const }));
    const counted = sent.filter((scan) => scan.isUndoSent && known.has(scan.id)).map(({ id }) => ({ id, isUndoSent: false }));
    const changed = [...lost, ...counted].flatMap((change) => {
      const scan = this.#queue.get(change.id);
      return scan ? [{ ...scan, ...change }] : [];
    });
    if (changed.length === 0) return;
    await this.#queue.put(...changed);
    void this.#queue.flush();
  }

  /** A browser that refuses to store anything may throw at once, too. */
  async #stored<Value>(task: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await task();
    } catch {
      this.#show({ isStored: false });
      return undefined;
    }
  }

  #showScans(): void {
    const own = this.#queue.items();
    this.#show({ own, waiting: own.filter((scan) => scan.state === "waiting" || isUndoWaiting(scan)).length, isStored: this.#shown.isStored && this.#queue.isStored });
  }

  #show(next: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...next };
    for (const listener of this.#listeners) listener();
  }
}
