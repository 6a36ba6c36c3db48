import type { Kind } from "../../lib/page";

/** The review statuses, in the order in which a registration usually gets them. */
export const reviewStatuses = {
  new: "New",
  in_review: "In review",
  accepted: "Accepted",
  waitlisted: "Waitlisted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  no_show: "No-show",
  set_aside: "Held for review",
} as const;

export const paymentStatuses = {
  paid: "Paid",
  pending: "Not paid yet",
  partially_refunded: "Partially refunded",
  refunded: "Refunded",
  disputed: "Disputed",
  failed: "Failed",
  abandoned: "Abandoned",
  complimentary: "Complimentary",
} as const;

const mails = { mail_waiting: "Waiting", mail_sent: "Sent", mail_failed: "Failed", mail_discarded: "Discarded" };
const nominations = {
  nomination_open: "Not handed in", nomination_handed_in: "Handed in", nomination_returned: "Returned", nomination_ready: "Ready",
  nomination_withdrawn: "Withdrawn", nomination_forfeited: "Forfeited", nomination_disqualified: "Disqualified",
};
const labels: Record<string, string> = { open: "Waiting for an answer", due: "Answer due", ...reviewStatuses, ...paymentStatuses, ...mails, ...nominations };

/** The label of a status of a registration, a payment, an email or a nomination. Some kinds have labels of their own. */
export function statusLabel(status: string, kind?: Kind): string {
  return (kind && ownLabels[kind]?.[status]) ?? labels[status] ?? status;
}

const ownLabels: Partial<Record<Kind, Record<string, string>>> = {
  "waitlist-signups": { accepted: "Invited" },
  "sponsor-inquiries": { accepted: "Answered" },
  "competition-entries": { due: "Not paid for over an hour" },
};

type ReviewStatus = keyof typeof reviewStatuses;

const all: ReviewStatus[] = ["new", "in_review", "accepted", "waitlisted", "declined", "withdrawn"];

/** The statuses that an organiser can set, if not `all`. Entries need no decision: everybody who has paid takes part. */
const choices: Partial<Record<Kind, ReviewStatus[]>> = {
  "competition-entries": [],
  // An invitation is no status: it ends, and it is accepted by an entry.
  "waitlist-signups": ["new", "withdrawn"],
  "sponsor-inquiries": ["new", "in_review", "accepted"],
};

/** The statuses to choose from. Only the server holds a submission for review; from there it must first become new. */
export function choosableStatuses(kind: Kind, current: string): string[] {
  if (current === "set_aside") return ["set_aside", "new"];
  const offered: string[] = choices[kind] ?? all;
  return offered.length === 0 || offered.includes(current) ? offered : [...offered, current];
}

/** The statuses that a list can be filtered by, with their labels. */
export function listedStatuses(kind: Kind): Record<string, string> {
  const offered: string[] = [...(choices[kind] ?? all), "set_aside"];
  if (offered.includes("in_review")) offered.unshift("open", "due");
  return Object.fromEntries(offered.map((status) => [status, statusLabel(status, kind)]));
}

/** The payment statuses that the list of entries can be filtered by, with their labels. */
export const listedPayments = { ...paymentStatuses, due: statusLabel("due", "competition-entries") };

/** Why the server holds a submission for review. */
const reasons: Record<string, string> = {
  hidden_field: "a field was filled in that people cannot see",
  too_fast: "it was sent faster than a person types",
  busy_network: "many came from one network at once",
  many_links: "a text contains many links",
  link_in_name: "the name or company contains a link",
  repeated_address: "several confirmations were already sent to this address",
};

export function reasonText(reason: string): string {
  return reasons[reason] ?? reason;
}
