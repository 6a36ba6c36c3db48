import { lazy } from "react";

/** Loaded when the list of nominations is shown, and not before somebody has signed in. */
export const Relations = lazy(() => import("./relations").then((module) => ({ default: module.Relations })));
