import { lazy } from "react";

/** The pictures to share come when there is something to share. */
export const SharePictures = lazy(() => import("./share-pictures").then((module) => ({ default: module.SharePictures })));
