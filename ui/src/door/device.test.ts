import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { kept, values } from "../../test/idb-keyval";
import type { Admission, Scan } from "../lib/answer-types";
import { Device } from "./device";

vi.mock("idb-keyval", () => import("../../test/idb-keyval"));

/** A server that stores scans, and may be restored from a backup. `behind`: its clock, in milliseconds. */
const server = { scans: new Map<string, Admission>(), undone: new Set<string>(), sent: [] as string[], status: 200, behind: 0 };

async function answer(path: string, { method = "GET", body, headers }: { method?: string; body?: string | null; headers?: Record<string, string> } = {}) {
  if (server.status === 0) throw new TypeError("Failed to fetch");
  if (server.status !== 200) return new Response("{}", { status: server.status });
  const undo = /scans\/(.+)\/undo$/.exec(path)?.[1];
  if (method === "GET") {
    const scans = [...server.scans.values()].filter(({ id }) => !server.undone.has(id));
    const list = { at: new Date(now).toISOString(), lists: [{ key: "day-1", label: "Day 1", day: "2026-03-28" }], tickets: [], scans };
    const tag = JSON.stringify(scans);
    const date = new Date(Date.now() - server.behind).toUTCString();
    return headers?.["If-None-Match"] === tag ? new Response(null, { status: 304, headers: { Date: date } }) : new Response(JSON.stringify(list), { headers: { ETag: tag, Date: date } });
  }
  server.sent.push(undo ? `undo ${undo}` : "scans");
  if (undo) {
    server.undone.add(undo);
    return new Response("{}", { status: server.scans.has(undo) ? 200 : 404 });
  }
  const { scans } = JSON.parse(body!) as { scans: Scan[] };
  return new Response(JSON.stringify({ results: scans.map(({ id, code, list, at, shown }) => {
    const isUndone = server.undone.has(id);
    server.scans.set(id, { id, code, list, at, device: "Front" });
    return { id, result: shown ?? "welcome", ...(isUndone && { counts: false }) };
  }) }));
}

let now = 0;
let device: Device;
let stop = () => {};

/** Long enough for a poll and what follows it. */
const poll = () => vi.advanceTimersByTimeAsync(40_000);
const own = () => device.shown().own[0]!;

beforeEach(async () => {
  kept.clear();
  values.clear();
  Object.assign(server, { scans: new Map(), undone: new Set(), sent: [], status: 200, behind: 0 });
  vi.useFakeTimers();
  now = Date.parse("2026-03-28T13:00:00Z");
  vi.setSystemTime(now);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("location", { hash: "", origin: "https://showcase.example.com" });
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", answer);
  device = new Device();
  stop = device.start();
  await poll();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("sends once more what a restored server lacks, however often it is restored", async () => {
  await device.scan("A000000000", "day-1", { walkIn: "Ada" });
  await poll();
  for (const _ of [1, 2]) {
    server.scans.clear();
    await poll();
    expect([...server.scans.keys()]).toEqual([own().id]);
    expect(own()).toMatchObject({ state: "sent", result: "walk_in" });
    expect(own().undoneAt).toBeUndefined();
  }
});

it("takes back once more what a restored server counts again", async () => {
  await device.scan("A000000000", "day-1", { walkIn: "Ada" });
  await poll();
  await device.undo(own().id);
  await poll();
  expect(server.undone.size).toBe(1);
  server.undone.clear();
  await poll();
  expect([...server.undone]).toEqual([own().id]);
  const sent = server.sent.length;
  await poll();
  expect(server.sent, "once is enough").toHaveLength(sent);
});

it("shows what another door has taken back as undone", async () => {
  await device.scan("A000000000", "day-1", { walkIn: "Ada" });
  await poll();
  server.undone.add(own().id);
  await poll();
  expect(own()).toMatchObject({ isUndoSent: true });
  const sent = server.sent.length;
  await poll();
  expect(server.sent, "it is not sent again and again").toHaveLength(sent);
});

it("measures its clock at every contact", async () => {
  server.behind = 86_400_000;
  await poll();
  expect(device.shown().kept?.offset).toBeCloseTo(-86_400_000, -4);
  server.behind = 0;
  await poll();
  expect(device.shown().kept?.offset).toBeCloseTo(0, -4);
});

it("keeps what a server refuses, and sends the rest", async () => {
  server.status = 0;
  for (const code of ["A000000000", "B000000000"]) await device.scan(code, "day-1", { walkIn: code });
  expect(device.shown()).toMatchObject({ waiting: 2 });
  vi.stubGlobal("fetch", (path: string, options?: { body?: string }) => {
    const isRefused = options?.body?.includes("A000000000");
    return isRefused ? Promise.resolve(new Response("{}", { status: 409 })) : answer(path, options);
  });
  server.status = 200;
  await poll();
  expect(device.shown().own.map(({ state }) => state)).toEqual(["refused", "sent"]);
  expect(device.shown().waiting).toBe(0);
});

it("keeps its scans and no names once it is ended without a network, and sends them", async () => {
  server.status = 0;
  for (const code of ["A000000000", "B000000000"]) await device.scan(code, "day-1", { walkIn: code });
  vi.stubGlobal("fetch", (path: string, options?: object) => path.endsWith("/list") ? Promise.resolve(new Response("{}", { status: 401 })) : answer(path, options));
  server.status = 200;
  await poll();
  expect(server.scans.size).toBe(2);
  expect(device.shown()).toMatchObject({ access: "ended", waiting: 0, kept: undefined });
});

it("tells of an answer that the server has corrected", async () => {
  server.status = 0;
  await device.scan("A000000000", "day-1", { walkIn: "Ada" });
  vi.stubGlobal("fetch", (path: string, options?: { method?: string; body?: string }) => path.endsWith("/scans")
    ? Promise.resolve(new Response(JSON.stringify({ results: [{ id: own().id, result: "void" }] })))
    : answer(path, options));
  server.status = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(device.shown().corrected).toMatchObject({ id: own().id, result: "void" });
});
