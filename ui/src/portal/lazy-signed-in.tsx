import { lazy } from "react";
import { reloadOnce } from "../kit/recovery";

/** After an update of the site the page is reloaded for this code once. */
async function load() {
  try {
    return await import("./signed-in");
  } catch (error) {
    if (await reloadOnce()) return new Promise<never>(() => {});
    throw error;
  }
}

export const SignedIn = lazy(() => load().then((module) => ({ default: module.SignedIn })));

/** Has it here when somebody is signed in. A failure is dealt with then. */
export function preloadSignedIn(): void {
  import("./signed-in").catch(() => {});
}
