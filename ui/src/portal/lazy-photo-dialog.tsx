import { lazy } from "react";
import { loadedOnce } from "./loaded-once";

export const PhotoDialog = lazy(() => loadedOnce(import("./photo-dialog")).then((module) => ({ default: module.PhotoDialog })));

/** Loads the code with the page of a nomination, and not before somebody has signed in. */
export function preloadPhotoDialog(): void {
  import("./photo-dialog").catch(() => {});
}
