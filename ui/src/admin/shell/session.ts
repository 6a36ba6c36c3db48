import useSWR, { mutate, type SWRConfiguration } from "swr";
import { ApiError } from "../../lib/api-error";
import { request } from "../../lib/request";
import { fetcher, swrSettings, type Key } from "../../lib/swr-settings";
import { focusNextTitle } from "./admin-title";
import { forgetUnsaved, interruptUnsaved } from "./unsaved";

export interface Session {
  username: string;
  expiresAt: string;
}

/** "ended": the session was valid and has expired or was ended. */
export type SessionState = Session | "none" | "ended";

const sessionPath = "/api/admin/session";
const key: Key = ["/api", "admin", "session"];

export function useSession() {
  return useSWR<SessionState, unknown>(key, readSession);
}

/** Throws an `ApiError` when the password is wrong. */
export async function signIn(password: string, username: string): Promise<void> {
  await request(sessionPath, { method: "POST", body: username ? { password, username } : { password } });
  focusNextTitle();
  // SWR would otherwise wait for reads that began before the session ended.
  await mutate(isOther, undefined);
  await mutate(key);
}

export async function signOut(): Promise<void> {
  await request(sessionPath, { method: "DELETE" });
  forgetUnsaved();
  await forget("none");
}

/** Whether the failure means that the session has ended; if so, the sign-in form is shown. */
export function endsSession(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false;
  interruptUnsaved();
  void forget("ended");
  return true;
}

/** Settings for reads of the organiser's pages: a 401 leads back to the sign-in form. */
export const adminSettings: SWRConfiguration = { ...swrSettings, onError: (error: unknown) => void endsSession(error) };

/** No personal data stays in memory for the next person at this computer. */
async function forget(state: SessionState): Promise<void> {
  focusNextTitle();
  await mutate(key, state, { revalidate: false });
  await mutate(isOther, undefined, { revalidate: false });
}

/** Whether this is the key of anything but the session. */
function isOther(other: unknown): boolean {
  return other !== key && !(Array.isArray(other) && other.join("/") === sessionPath);
}

async function readSession(path: Key): Promise<SessionState> {
  const answer = (await fetcher(path)) as { signedIn: false } | (Session & { signedIn: true });
  return answer.signedIn ? answer : "none";
}
