import { request } from "../../lib/request";
import { read, write } from "./browser-storage";

const name = "entry-invitation";

/**
 * Takes the token of a personal link from the waitlist (`#invitation=`) out of the address, where it would stay in the
 * history and in screenshots, and keeps it until the tab is closed. Returns the invited address if the invitation is still valid.
 */
export async function takeInvitation(): Promise<string | undefined> {
  const token = new URLSearchParams(location.hash.slice(1)).get("invitation");
  if (!token) return undefined;
  write(() => sessionStorage, name, token);
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  try {
    const reply = await request("/api/waitlist-invitations/check", { method: "POST", body: { token } });
    return ((await reply.json()) as { email: string | null }).email ?? undefined;
  } catch {
    // The form works without it: an entry from the same address accepts the invitation as well.
    return undefined;
  }
}

/** The `invitation` field of the entry's request; an empty object without a token. */
export function invitationOfEntry(): { invitation?: string } {
  const token = read<string>(() => sessionStorage, name);
  return token ? { invitation: token } : {};
}
