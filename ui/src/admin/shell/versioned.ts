import useSWR, { type SWRConfiguration } from "swr";
import { ApiError } from "../../lib/api-error";
import { request } from "../../lib/request";
import { pathOf, type Key } from "../../lib/swr-settings";

/** A value and its `ETag`, which a save sends in `If-Match`. */
export interface Versioned<Value> {
  value: Value;
  tag: string;
}

/** Reads a value with its `ETag`. */
export function useVersioned<Value>(key: Key, settings: SWRConfiguration<Versioned<Value>> = {}) {
  return useSWR<Versioned<Value>, unknown>(key, async (read: Key) => versioned<Value>(await request(pathOf(read))), settings);
}

interface Save {
  method: "PATCH" | "POST" | "DELETE";
  body?: unknown;
  /** A repeated request with the same key is made once. */
  idempotencyKey?: string;
}

/** Saves a change of this version. The server refuses it with 412 if somebody has saved another one since. */
export async function saveVersion<Value>(path: string, tag: string, { method, body, idempotencyKey }: Save): Promise<Versioned<Value>> {
  return versioned(await request(path, { method, body, idempotencyKey, headers: { "If-Match": tag } }));
}

/** Whether somebody else has saved since this was read. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export async function versioned<Value>(response: Response): Promise<Versioned<Value>> {
  // A proxy that compresses makes the tag weak (`W/"7"`), and a weak one equals no version in `If-Match`.
  return { value: response.status === 204 ? undefined as Value : await response.json() as Value, tag: (response.headers.get("etag") ?? "").replace(/^W\//, "") };
}
