import type { ReactNode } from "react";
import type { Kind } from "../../lib/answer-types";

type Shape = "ring" | "half" | "check" | "hourglass" | "cross" | "dash" | "square" | "turn" | "warning";

type Look = readonly [shape: Shape, tone: string];
type Status = ReviewStatus | keyof typeof paymentStatuses | `mail_${keyof typeof mailStates}` | `nomination_${keyof typeof nominationStates}`;

const looks: Record<string, Look> = {
  new: ["ring", "rose"],
  in_review: ["half", "gold"],
  accepted: ["check", "moss"],
  waitlisted: ["hourglass", "gold"],
  declined: ["cross", "soft"],
  withdrawn: ["dash", "soft"],
  no_show: ["cross", "gold"],
  set_aside: ["square", "soft"],
  pending: ["ring", "gold"],
  paid: ["check", "moss"],
  partially_refunded: ["half", "soft"],
  refunded: ["turn", "soft"],
  disputed: ["warning", "rose"],
  failed: ["cross", "rose"],
  abandoned: ["dash", "soft"],
  complimentary: ["check", "gold"],
  mail_waiting: ["hourglass", "gold"],
  mail_sent: ["check", "moss"],
  mail_failed: ["warning", "rose"],
  mail_discarded: ["dash", "soft"],
  nomination_open: ["ring", "gold"],
  nomination_handed_in: ["half", "rose"],
  nomination_returned: ["turn", "rose"],
  nomination_ready: ["check", "moss"],
  nomination_withdrawn: ["dash", "soft"],
  nomination_forfeited: ["hourglass", "soft"],
  nomination_disqualified: ["cross", "soft"],
} satisfies Record<Status, Look>;

const paths: Record<Shape, string> = {
  ring: "M8 2a6 6 0 1 0 .01 0zM8 4.200a3.800 3.800 0 1 1-.01 0z",
  half: "M8 2a6 6 0 1 0 .01 0zM8 4v8a4 4 0 0 1 0-8z",
  check: "M1.800 8.600q2.900.9 4.600 4.300Q8.600 6 14.500 2.200 9.500 4 6.500 9.300 4.600 7.700 1.800 8.600z",
  hourglass: "M3 2h10L9.200 8 13 14H3l3.800-6z",
  cross: "M3.600 2 8 6.400 12.400 2 14 3.600 9.600 8l4.400 4.400-1.600 1.600L8 9.600 3.600 14 2 12.400 6.400 8 2 3.600z",
  dash: "M2 6.900h12v2.200H2z",
  square: "M2.500 2.500h11v11h-11zM4.700 4.700v6.600h6.600V4.700z",
  turn: "M6 2v2.700h3.200a4.600 4.600 0 1 1 0 9.300H4v-2.200h5.200a2.400 2.400 0 1 0 0-4.900H6v2.700L1.500 5.800z",
  warning: "M8 1.500 15 14H1zM7 6v4h2V6zm0 5v1.800h2V11z",
};

/** A status as text, shape and colour, so that it can be read without any one of them. */
export function StatusMark({ status, kind }: { status: string; kind?: Kind }) {
  return <ShapeMark look={looks[status] ?? ["ring", "soft"]}>{statusLabel(status, kind)}</ShapeMark>;
}

export function ShapeMark({ look: [shape, tone], children }: { look: Look; children: ReactNode }) {
  return (
    <span className={`status status-${tone}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d={paths[shape]} fillRule="evenodd" /></svg>
      {children}
    </span>
  );
}

/** The review statuses, in the order in which a registration usually gets them. */
const reviewStatuses = {
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

export const mailStates = { waiting: "Waiting", sent: "Sent", failed: "Failed", discarded: "Discarded" } as const;

export const nominationStates = {
  open: "Not handed in", handed_in: "Handed in", returned: "Returned", ready: "Ready", withdrawn: "Withdrawn", forfeited: "Forfeited", disqualified: "Disqualified",
} as const;

const prefixed = (prefix: string, states: Record<string, string>) => Object.fromEntries(Object.entries(states).map(([state, label]) => [`${prefix}_${state}`, label]));
const labels: Record<string, string> = {
  open: "Waiting for an answer", due: "Answer due", ...reviewStatuses, ...paymentStatuses, ...prefixed("mail", mailStates), ...prefixed("nomination", nominationStates),
};

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
