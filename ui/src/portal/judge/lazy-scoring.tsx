import { lazy } from "react";
import { loadedOnce } from "../loaded-once";

export const Scoring = lazy(() => loadedOnce(import("./scoring")).then((module) => ({ default: module.Scoring })));

/** Loads the code before a judge is signed in. If that fails, it is loaded again when it is needed. */
export function preloadScoring(): void {
  import("./scoring").catch(() => {});
}
