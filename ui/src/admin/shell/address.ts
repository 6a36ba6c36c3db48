import { useSyncExternalStore } from "react";
import { arriveAtNextTitle } from "./arrival";

/** The state of a section is in its address, so that it can be shared, reloaded and returned to. */
export type Changes = Record<string, string | number | null>;

const moved = "admin-moved";

export function useAddress(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search, () => ""));
}

/** The same section with other parameters; null removes one. */
export function addressWith(params: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const query = next.toString();
  return query ? `?${query}` : location.pathname;
}

export function goTo(address: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new Event(moved));
}

function subscribe(listener: () => void): () => void {
  const goneBack = () => {
    arriveAtNextTitle();
    listener();
  };
  addEventListener("popstate", goneBack);
  addEventListener(moved, listener);
  return () => {
    removeEventListener("popstate", goneBack);
    removeEventListener(moved, listener);
  };
}
