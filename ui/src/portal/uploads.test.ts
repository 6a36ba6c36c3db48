import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { kept } from "../../test/idb-keyval";
import { keptFiles } from "./photo-files";
import { canBeRetried, refusalOf, Uploads } from "./uploads";

interface Options {
  metadata: Record<string, string>;
  uploadUrl?: string;
  onUploadUrlAvailable: () => void;
  onProgress: (sent: number, total: number) => void;
  onBeforeRequest: (request: { getMethod: () => string }) => Promise<void>;
  onAfterResponse: (request: unknown, response: unknown) => void;
  onSuccess: () => void;
  onError: (error: Error) => void;
}

const tus = vi.hoisted(() => {
  class DetailedError extends Error {
    originalResponse: { getStatus: () => number; getBody: () => string };
    constructor(status: number, body: string) {
      super(`${status}`);
      this.originalResponse = { getStatus: () => status, getBody: () => body };
    }
  }
  const started: FakeUpload[] = [];
  class FakeUpload {
    url: string | null = null;
    isAborted = false;
    /** Whether it goes on after its creation. */
    isSent = false;
    readonly options: Options;
    constructor(_file: File, options: Options) {
      this.options = options;
      this.url = options.uploadUrl ?? null;
    }
    findPreviousUploads = () => Promise.resolve([]);
    resumeFromPreviousUpload = () => {};
    abort = () => {
      this.isAborted = true;
      return Promise.resolve();
    };
    start = () => {
      this.url ??= `/api/artist/uploads/${started.length}`;
      started.push(this);
      this.options.onUploadUrlAvailable();
      this.isSent = !this.isAborted;
    };
  }
  return { DetailedError, started, Upload: FakeUpload };
});

vi.mock("tus-js-client", () => tus);

vi.mock("idb-keyval", () => import("../../test/idb-keyval"));

const stored: number[] = [];
const file = (name: string) => new File(["0123456789ab"], name, { lastModified: 1 });
const slotsOf = (uploads: typeof tus.started) => uploads.map(({ options }) => options.metadata.slot);
/** The slots of the photos that have been sent, or begun to be. */
const sent = () => slotsOf(tus.started.filter(({ isSent }) => isSent));
const flushed = () => vi.advanceTimersByTimeAsync(0);

let uploads: Uploads;
/** Whether another device has put a photo into the slot. */
let isOutdated: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  tus.started.length = 0;
  kept.clear();
  stored.length = 0;
  isOutdated = false;
  uploads = new Uploads({ isOutdated: () => Promise.resolve(isOutdated), onStored: (id) => stored.push(id), onSignedOut: () => {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("sends two photos at once, and the next one when one is stored", async () => {
  for (const slot of ["front", "left", "right"]) await uploads.add({ nomination: 7, slot, file: file(slot), replaces: null });
  await flushed();
  expect(sent()).toEqual(["front", "left"]);
  expect(uploads.shown().get("7/right")?.state).toBe("waiting");
  tus.started[0]?.options.onSuccess();
  await flushed();
  expect(sent()).toEqual(["front", "left", "right"]);
  expect(stored).toEqual([7]);
  expect(uploads.shown().has("7/front")).toBe(false);
});

it("creates all uploads at once, so that those that wait have begun before the deadline too", async () => {
  for (const slot of ["front", "left", "right", "closed"]) await uploads.add({ nomination: 7, slot, file: file(slot), replaces: null });
  await flushed();
  expect(slotsOf(tus.started)).toEqual(["front", "left", "right", "closed"]);
  tus.started[1]?.options.onSuccess();
  await flushed();
  expect(tus.started.slice(4).map(({ url, options }) => [options.metadata.slot, url])).toEqual([["right", "/api/artist/uploads/2"]]);
  expect(uploads.shown().get("7/closed")?.state).toBe("waiting");
});

it("does not keep a photo that is cancelled while it is prepared", async () => {
  const adding = uploads.add({ nomination: 7, slot: "front", file: file("front"), replaces: null });
  await uploads.cancel(7, "front");
  await adding;
  await flushed();
  expect([[...kept.keys()], tus.started, uploads.shown().size]).toEqual([[], [], 0]);
});

it("keeps a photo with the one that it replaces", async () => {
  const front = file("front");
  await uploads.add({ nomination: 7, slot: "front", file: front, replaces: 3 });
  expect(await keptFiles()).toEqual([{ nomination: 7, slot: "front", file: front, replaces: 3 }]);
});

it("sends no name of a file", async () => {
  await uploads.add({ nomination: 7, slot: "front", file: file("ada-lovelace.jpg"), replaces: null });
  await flushed();
  expect(tus.started[0]?.options.metadata).toEqual({ nomination: "7", slot: "front" });
});

it("continues by itself where a broken connection left it", async () => {
  await uploads.add({ nomination: 7, slot: "front", file: file("front"), replaces: null });
  await flushed();
  tus.started[0]?.options.onProgress(6, 12);
  tus.started[0]?.options.onError(new Error("the line broke"));
  expect(uploads.shown().get("7/front")).toMatchObject({ state: "offline", sent: 6 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tus.started).toHaveLength(2);
  expect(tus.started[1]?.options.uploadUrl).toBe("/api/artist/uploads/0");
});

it("does not replace the photo that another device has sent since", async () => {
  await uploads.add({ nomination: 7, slot: "front", file: file("front"), replaces: null });
  await flushed();
  isOutdated = true;
  const [upload] = tus.started;
  const askForOffset = async (status: number, bytes: number) => {
    const request = { getMethod: () => "HEAD" };
    await upload?.options.onBeforeRequest(request);
    upload?.options.onAfterResponse(request, { getStatus: () => status, getHeader: () => String(bytes) });
  };
  await askForOffset(200, 12);
  expect(uploads.shown().get("7/front")?.state, "it is there itself").toBe("sending");
  await expect(askForOffset(410, 0), "it has expired").rejects.toThrow("another photo is there");
  await askForOffset(200, 6).catch((error: Error) => upload?.options.onError(error));
  expect(uploads.shown().get("7/front")).toMatchObject({ state: "failed", message: expect.stringContaining("Another photo was put here since") });
  expect(kept.size).toBe(0);
});

it("does not begin an upload again when another device has sent the photo since", async () => {
  await uploads.add({ nomination: 7, slot: "front", file: file("front"), replaces: null });
  await flushed();
  const [upload] = tus.started;
  upload!.url = null;
  upload!.options.onUploadUrlAvailable();
  upload?.options.onError(new Error("the line broke"));
  isOutdated = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tus.started).toHaveLength(1);
  expect(uploads.shown().get("7/front")?.message).toContain("Another photo was put here since");
});

it("gives up a request that makes no progress, and continues", async () => {
  await uploads.add({ nomination: 7, slot: "front", file: file("front"), replaces: null });
  await flushed();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tus.started.length).toBeGreaterThan(1);
});

it("shows what the server says against a photo, and makes room for the next", async () => {
  for (const slot of ["front", "left", "right"]) await uploads.add({ nomination: 7, slot, file: file(slot), replaces: null });
  await flushed();
  tus.started[0]?.options.onError(new tus.DetailedError(422, JSON.stringify({ errors: { slot: "The photo is too small" } })));
  await flushed();
  expect(uploads.shown().get("7/front")).toMatchObject({ state: "failed", message: "The photo is too small" });
  expect(sent()).toEqual(["front", "left", "right"]);
});

it("knows what is for a while from what is for good", () => {
  expect([0, 408, 409, 429, 500, 503].map(canBeRetried)).toEqual(Array(6).fill(true));
  expect([400, 401, 404, 413, 415, 422, 423].map(canBeRetried)).toEqual(Array(7).fill(false));
  expect(refusalOf(423, JSON.stringify({ detail: "The deadline has passed." }))).toBe("The deadline has passed.");
  expect(refusalOf(400, "")).toMatch(/choose it again/);
});
