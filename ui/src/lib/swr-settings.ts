import type { SWRConfiguration } from "swr";
import { request } from "./request";

/** A key is the path's segments: `["/api", "export", "json"]` reads `/api/export/json`. */
export type Key = readonly string[];

export function pathOf(key: Key): string {
  return key.join("/");
}

export async function fetcher(key: Key): Promise<unknown> {
  const response = await request(pathOf(key));
  return response.json();
}

/** SWR reads nothing again unless a page asks for it: no retries, no refetching, and data never becomes stale. */
export const swrSettings: SWRConfiguration = {
  fetcher,
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshInterval: 0,
};
