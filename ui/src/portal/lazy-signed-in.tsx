import { lazy } from "react";
import { loadedOnce } from "./loaded-once";

export const SignedIn = lazy(() => loadedOnce(import("./signed-in")).then((module) => ({ default: module.SignedIn })));
export const ScoreSheets = lazy(() => loadedOnce(import("./print/score-sheets")).then((module) => ({ default: module.ScoreSheets })));

/** Has it here when somebody is signed in. A failure is dealt with then. */
export function preloadSignedIn(): void {
  import("./signed-in").catch(() => {});
}
