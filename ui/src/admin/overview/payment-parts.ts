import { formatCount } from "../shell/numbers";
import { paymentStatuses } from "../shell/statuses";

/** Entries that the count of entries leaves out, as the server does. */
const notCounted = ["failed", "abandoned"];

/** What the count of entries is made of, and what the list has beside it: "12 paid, 2 not paid yet; 1 abandoned is not counted". */
export function paymentParts(byStatus: Record<string, number>): string {
  const partsOf = (wanted: (status: string) => boolean) =>
    Object.entries(paymentStatuses).filter(([status]) => byStatus[status] && wanted(status)).map(([status, label]) => `${formatCount(byStatus[status] ?? 0)} ${label.toLowerCase()}`).join(", ");
  const counted = partsOf((status) => !notCounted.includes(status));
  const others = partsOf((status) => notCounted.includes(status));
  const count = notCounted.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0);
  return [counted, others && `${others} ${count === 1 ? "is" : "are"} not counted`].filter(Boolean).join("; ");
}
