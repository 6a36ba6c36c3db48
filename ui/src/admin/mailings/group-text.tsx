import { serverNow } from "../../lib/clock";
import { kindLabels, type Registration } from "../shell/kinds";
import { statusLabel } from "../shell/status-mark";
import { Instant } from "../shell/admin-context";
import type { Group, Notice } from "./api";

export const notices: Record<Notice | "", string> = {
  "": "News: people can unsubscribe",
  place: "The place has changed: everybody must know",
  time: "The time has changed: everybody must know",
  cancellation: "Something is cancelled: everybody must know",
};

export const invitations = { waiting: "Not invited yet", invited: "Invited", accepted: "Accepted", let_pass: "Let the invitation pass" } as const;

export const attendances = { came: "Came to the event", absent: "Has a ticket and has not come" } as const;

/** A group in one line, such as "Competition entries: Paid, Brows". */
export function groupText(group: Group, categoryNames: Record<string, string>): string {
  const kinds = [group.kind].flat();
  const kindOf = kinds.length === 1 && kinds[0] !== "all" ? kinds[0] : undefined;
  const conditions = [
    ...[group.status, group.paymentStatus].flat().filter((status) => status !== undefined).map((status) => statusLabel(status, kindOf)),
    ...(group.category ? [categoryNames[group.category] ?? group.category] : []),
    ...[group.invitation].flat().filter((state) => state !== undefined).map((state) => invitations[state as keyof typeof invitations]),
    ...(group.attendance ? [attendances[group.attendance as keyof typeof attendances]] : []),
  ];
  const named = kinds.map((kind) => (kind === "all" ? "Everybody" : kindLabels[kind].plural)).join(", ");
  return conditions.length === 0 ? named : `${named}: ${conditions.join(", ")}`;
}

/** For how many days an invitation from the waitlist may be valid. */
export const invitationLengths = [{ value: "0.125", label: "3 hours" }, { value: "0.5", label: "12 hours" }, { value: "1", label: "1 day" }, { value: "2", label: "2 days" }, { value: "3", label: "3 days" }, { value: "7", label: "7 days" }, { value: "14", label: "14 days" }];

/** The instant at which an invitation of now ends. */
export function invitationEnd(days: number): string {
  return new Date(serverNow() + days * 86_400_000).toISOString();
}

/** The state of a waitlist signup's invitation; nothing if there is none. */
export function Invitation({ record: { invitation, invitationEndsAt } }: { record: Registration }) {
  if (typeof invitation !== "string" || invitation === "waiting") return null;
  return (
    <p>
      Invitation: {invitations[invitation as keyof typeof invitations]}
      {invitation === "invited" && typeof invitationEndsAt === "string" && <>, until <Instant at={invitationEndsAt} /></>}
    </p>
  );
}
