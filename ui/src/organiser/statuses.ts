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

const mails = { mail_waiting: "Waiting", mail_sent: "Sent", mail_failed: "Failed", mail_discarded: "Discarded" };
const words: Record<string, string> = { ...reviewStatuses, ...paymentStatuses, ...mails };

export function statusWord(status: string): string {
  return words[status] ?? status;
}

/** What the organiser may choose: only the server sets aside, and what it set aside must first be taken back. */
export function choosableStatuses(current: string): string[] {
  if (current === "set_aside") return ["set_aside", "new"];
  return Object.keys(reviewStatuses).filter((status) => status !== "set_aside");
}

/** Whether there is a letter to the person for a change to this status. */
export function hasLetter(from: string, to: string): boolean {
  return from !== to && ["accepted", "waitlisted", "declined"].includes(to);
}

/** Why the server set something aside, in words. */
const reasons: Record<string, string> = {
  hidden_field: "a field was filled in that no person sees",
  too_fast: "it came faster than a person types",
  busy_network: "many came from one network at once",
  many_links: "a text holds many links",
  link_in_name: "the name or company holds a link",
  repeated_address: "several confirmations went to this address already",
};

export function reasonWords(reason: string): string {
  return reasons[reason] ?? reason;
}
