import { Instant } from "../shell/instant";
import type { Registration } from "../shell/kinds";
import { invitations } from "./group-text";

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
