import { lazy } from "react";
import { reloadOnce } from "../../kit/recovery";

/** After an update of the site the page is reloaded for this code once. */
async function load() {
  try {
    return await import("./scoring");
  } catch (error) {
    if (await reloadOnce()) return new Promise<never>(() => {});
    throw error;
  }
}

export const Scoring = lazy(() => load().then((module) => ({ default: module.Scoring })));

/** Has it here when a judge is signed in. A failure is dealt with then. */
export function preloadScoring(): void {
  import("./scoring").catch(() => {});
}
