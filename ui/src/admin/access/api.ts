import useSWR from "swr";
import { send } from "../../lib/request";
import type { Key } from "../../lib/swr-settings";
import type { Account, ListedSession } from "../../lib/answer-types";

/** One browser or program that is signed in. */
export type Session = ListedSession & { isThis: boolean };

const accountsKey: Key = ["/api", "admin", "accounts"];
const sessionsKey: Key = ["/api", "admin", "sessions"];

export function useAccounts() {
  return useSWR<{ items: Account[] }, unknown>(accountsKey);
}

export function useSessions() {
  return useSWR<{ items: Session[] }, unknown>(sessionsKey);
}

export const addAccount = (username: string, password: string) => send("POST", "/api/admin/accounts", { username, password });

/** Signs the account out everywhere. */
export const changePassword = (username: string, password: string) => send("PATCH", `/api/admin/accounts/${username}`, { password });
export const removeAccount = (username: string) => send("DELETE", `/api/admin/accounts/${username}`);
export const endSession = (id: string) => send("DELETE", `/api/admin/sessions/${id}`);
