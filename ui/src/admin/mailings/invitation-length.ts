import { serverNow } from "../../lib/server-clock";

/** For how many days an invitation from the waitlist may be valid. */
export const invitationLengths = [{ value: "1", label: "1 day" }, { value: "2", label: "2 days" }, { value: "3", label: "3 days" }, { value: "7", label: "7 days" }, { value: "14", label: "14 days" }];

/** The instant at which an invitation of today ends. */
export function invitationEnd(days: number): string {
  return new Date(serverNow() + days * 86_400_000).toISOString();
}
