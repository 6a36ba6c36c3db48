import { lazy } from "react";

/** Loads the code of the share pictures once there is something to share. */
export const SharePictures = lazy(() => import("./share-pictures").then((module) => ({ default: module.SharePictures })));
