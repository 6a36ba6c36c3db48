/** The organiser's decisions, in the order in which they are usually taken. */
export const reviewStatuses = {
  new: "New",
  in_review: "In review",
  accepted: "Accepted",
  waitlisted: "Waitlisted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  set_aside: "Set aside",
} as const;

export const paymentStatuses = {
  pending: "Pending",
  paid: "Paid",
  partially_refunded: "Partially refunded",
  refunded: "Refunded",
  disputed: "Disputed",
  failed: "Failed",
  abandoned: "Abandoned",
} as const;

const words: Record<string, string> = { ...reviewStatuses, ...paymentStatuses };

export function statusWord(status: string): string {
  return words[status] ?? status;
}
