import { lazy } from "react";
import { loadedOnce } from "./loaded-once";

export const SignedIn = lazy(() => loadedOnce(import("./signed-in")).then((module) => ({ default: module.SignedIn })));
export const ScoreSheets = lazy(() => loadedOnce(import("./print/score-sheets")).then((module) => ({ default: module.ScoreSheets })));

/** Loads the code before somebody is signed in. If that fails, it is loaded again when it is needed. */
export function preloadSignedIn(): void {
  import("./signed-in").catch(() => {});
}
