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

/** Nothing is read twice unless a page asks for it: no retry, no refetching, and what was read never grows stale. */
export const swrSettings: SWRConfiguration = {
  fetcher,
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshInterval: 0,
};
