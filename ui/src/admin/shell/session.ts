import useSWR, { mutate, type SWRConfiguration } from "swr";
import { ApiError } from "../../lib/api-error";
import { request } from "../../lib/request";
import { fetcher, swrSettings, type Key } from "../../lib/swr-settings";
import { arriveAtNextTitle } from "./arrival";
import { forgetDrafts } from "../registrations/decision-draft";

export interface Session {
  username: string;
  expiresAt: string;
}

/** "ended": somebody was signed in, and the server knows nothing of it any more. */
export type SessionState = Session | "none" | "ended";

const path = "/api/admin/session";
const key: Key = ["/api", "admin", "session"];

export function useSession() {
  return useSWR<SessionState, unknown>(key, readSession);
}

/** Throws an `ApiError` when the password is wrong. */
export async function signIn(password: string, username: string): Promise<void> {
  await request(path, { method: "POST", body: username ? { password, username } : { password } });
  arriveAtNextTitle();
  // What was read a moment before the session ended would be taken for a read that still goes on.
  await mutate(isOther, undefined);
  await mutate(key);
}

export async function signOut(): Promise<void> {
  await request(path, { method: "DELETE" });
  forgetDrafts();
  await forget("none");
}

/** Whether the failure means that nobody is signed in any more; if so, the gate is shown. */
export function endsSession(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false;
  void forget("ended");
  return true;
}

/** Settings for reads of the organiser's pages: a 401 leads back to the sign-in form. */
export const adminSettings: SWRConfiguration = { ...swrSettings, onError: (error: unknown) => void endsSession(error) };

/** Nothing about any person stays in memory for whoever sits down next. */
async function forget(state: SessionState): Promise<void> {
  arriveAtNextTitle();
  await mutate(key, state, { revalidate: false });
  await mutate(isOther, undefined, { revalidate: false });
}

/** Whether this is the key of anything but the session. */
function isOther(other: unknown): boolean {
  return other !== key && !(Array.isArray(other) && other.join("/") === path);
}

async function readSession(asked: Key): Promise<SessionState> {
  const told = (await fetcher(asked)) as { signedIn: false } | (Session & { signedIn: true });
  return told.signedIn ? told : "none";
}
