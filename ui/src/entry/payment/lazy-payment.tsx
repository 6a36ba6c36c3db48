import { lazy } from "react";

/** Whoever takes the payment, the code comes when it is time to pay. */
export const CardForm = lazy(() => import("./card-form").then((module) => ({ default: module.CardForm })));
export const DemoForm = lazy(() => import("./demo-form").then((module) => ({ default: module.DemoForm })));
