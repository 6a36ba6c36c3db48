import { useEffect } from "react";
import { dollars } from "../../parts/money";
import { showBarStatus } from "../../parts/bar-status";

/** Shows the step of the entry in the bar, with what it costs. */
export function useBarStatus(step: 1 | 2 | 3, cents?: number): void {
  useEffect(() => {
    showBarStatus({ step: `Step ${step} of 3`, amount: cents === undefined ? "" : dollars(cents) });
    return () => showBarStatus(null);
  }, [step, cents]);
}
