import { lazy } from "react";
import { loadedOnce } from "../loaded-once";

/** Declared once, before scoring, and only with a connection. */
export const People = lazy(() => loadedOnce(import("./people")).then((module) => ({ default: module.People })));
