import { lazy } from "react";
import { reloadOnce } from "../kit/recovery";

/** Loads the steps after the form. After an update of the site the page is reloaded for them once; what was typed is kept. */
async function load() {
  try {
    return await import("./later-steps");
  } catch (error) {
    if (await reloadOnce()) return new Promise<never>(() => {});
    throw error;
  }
}

export const PaymentStep = lazy(async () => ({ default: (await load()).PaymentStep }));
export const PaymentOutcome = lazy(async () => ({ default: (await load()).PaymentOutcome }));
export const SuccessStep = lazy(async () => ({ default: (await load()).SuccessStep }));
export const UnpaidNotice = lazy(async () => ({ default: (await load()).UnpaidNotice }));
export const TooLateNotice = lazy(async () => ({ default: (await load()).TooLateNotice }));
export const EnteredNotice = lazy(async () => ({ default: (await load()).EnteredNotice }));

/** Has them here when they are needed. A failure is dealt with then. */
export function preloadSteps(): void {
  import("./later-steps").catch(() => {});
}
