import { ApiError } from "../lib/api-error";
import type { DoorSnapshot, Scan, ScanOutcome } from "../lib/answer-types";
import { request, requestJson } from "../lib/request";
import { serverNow } from "../lib/clock";

/** In milliseconds. On a hotel's network a request may hang for ever. */
const timeout = 15_000;
const options = () => ({ signal: AbortSignal.timeout(timeout) });

/** Opens this device with the token of the organizer's code. */
export async function openSession({ token }: { token: string }): Promise<void> {
  await request("/api/door/session", { method: "POST", body: { token }, ...options() });
}

/** `list` is undefined if it is still the one with this tag. `offset`: how far the server's clock is ahead of this device's, in milliseconds. */
export async function readList(tag: string | undefined): Promise<{ list?: DoorSnapshot; tag: string | undefined; offset: number }> {
  const response = await fetch("/api/door/list", { credentials: "include", cache: "no-store", headers: tag ? { "If-None-Match": tag } : {}, ...options() });
  const offset = Date.parse(response.headers.get("Date") ?? "") - Date.now() || 0;
  if (response.status === 304) return { tag, offset };
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text(), Number(response.headers.get("Retry-After") ?? NaN));
  return { list: (await response.json()) as DoorSnapshot, tag: response.headers.get("ETag") ?? undefined, offset };
}

/** `waiting`: how many scans are left on this device after these. */
export async function sendScans(scans: readonly Scan[], waiting: number): Promise<ScanOutcome[]> {
  const body = { sentAt: new Date(serverNow()).toISOString(), waiting, scans };
  return (await requestJson<{ results: ScanOutcome[] }>("/api/door/scans", { method: "POST", body, ...options() })).results;
}

export async function sendUndo(id: string): Promise<void> {
  await request(`/api/door/scans/${id}/undo`, { method: "POST", body: { at: new Date(serverNow()).toISOString() }, ...options() });
}
