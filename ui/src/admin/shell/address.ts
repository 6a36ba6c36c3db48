import { useEffect } from "react";
import { useSearch } from "wouter";
import { focusNextTitle } from "./admin-title";

/** The state of a section is in its address, so that it can be shared, reloaded and returned to. */
export type Changes = Record<string, string | number | null>;

export function useAddress(): URLSearchParams {
  return new URLSearchParams(useSearch());
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

/** After the back or forward button, the title of the page that it leads to gets the focus. */
export function useTitleFocusAfterBack(): void {
  useEffect(() => {
    addEventListener("popstate", focusNextTitle);
    return () => removeEventListener("popstate", focusNextTitle);
  }, []);
}

/** The number in `?page=3`; 1 if there is none. */
export function pageIn(params: URLSearchParams): number {
  return positiveInteger(params.get("page")) ?? 1;
}

/** The id of the record that `?id=` opens. */
export function recordIn(params: URLSearchParams): number | undefined {
  return positiveInteger(params.get("id"));
}

function positiveInteger(text: string | null): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
