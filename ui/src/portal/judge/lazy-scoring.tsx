import { lazy } from "react";
import { loadedOnce } from "../loaded-once";

export const Scoring = lazy(() => loadedOnce(import("./scoring")).then((module) => ({ default: module.Scoring })));

/** Has it here when a judge is signed in. A failure is dealt with then. */
export function preloadScoring(): void {
  import("./scoring").catch(() => {});
}
