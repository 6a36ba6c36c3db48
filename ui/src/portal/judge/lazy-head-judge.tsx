import { lazy } from "react";
import { loadedOnce } from "../loaded-once";

/** Only the head judge needs it, and only with a connection. */
export const HeadJudge = lazy(() => loadedOnce(import("./head-judge")).then((module) => ({ default: module.HeadJudge })));
