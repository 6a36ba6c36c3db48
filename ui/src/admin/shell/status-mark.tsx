import type { ReactNode } from "react";
import type { Kind } from "../../lib/page";
import { statusLabel } from "./statuses";

type Shape = "ring" | "half" | "check" | "hourglass" | "cross" | "dash" | "square" | "turn" | "warning";

const looks: Record<string, [shape: Shape, tone: string]> = {
  new: ["ring", "rose"],
  in_review: ["half", "gold"],
  accepted: ["check", "moss"],
  waitlisted: ["hourglass", "gold"],
  declined: ["cross", "soft"],
  withdrawn: ["dash", "soft"],
  set_aside: ["square", "soft"],
  pending: ["ring", "gold"],
  paid: ["check", "moss"],
  partially_refunded: ["half", "soft"],
  refunded: ["turn", "soft"],
  disputed: ["warning", "rose"],
  failed: ["cross", "rose"],
  abandoned: ["dash", "soft"],
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
};

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

export function ShapeMark({ look: [shape, tone], children }: { look: readonly [shape: Shape, tone: string]; children: ReactNode }) {
  return (
    <span className={`status status-${tone}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d={paths[shape]} fillRule="evenodd" /></svg>
      {children}
    </span>
  );
}
