import { lazy } from "react";

/** Loads the provider's payment form when it is time to pay. */
export const CardForm = lazy(() => import("./card-form").then((module) => ({ default: module.CardForm })));
export const DemoForm = lazy(() => import("./demo-form").then((module) => ({ default: module.DemoForm })));
