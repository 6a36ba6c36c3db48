import { mutate, type SWRConfiguration } from "swr";
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

/** Reads everything under a path again that is shown, and forgets what is only remembered. */
export async function refresh(path: string): Promise<void> {
  await mutate((key) => Array.isArray(key) && isUnder(pathOf(key as string[]), path), undefined);
}

function isUnder(candidate: string, path: string): boolean {
  return candidate === path || candidate.startsWith(`${path}/`) || candidate.startsWith(`${path}?`);
}
