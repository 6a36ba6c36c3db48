import { lazy } from "react";
import { reloadOnce } from "../kit/recovery";

/** After an update of the site the page is reloaded for this code once. */
async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    if (await reloadOnce()) return new Promise<never>(() => {});
    throw error;
  }
}

export const SignedIn = lazy(() => loaded(import("./signed-in")).then((module) => ({ default: module.SignedIn })));
export const ScoreSheets = lazy(() => loaded(import("./print/score-sheets")).then((module) => ({ default: module.ScoreSheets })));

/** Has it here when somebody is signed in. A failure is dealt with then. */
export function preloadSignedIn(): void {
  import("./signed-in").catch(() => {});
}
