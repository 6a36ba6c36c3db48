import useSWR from "swr";
import { request } from "../../lib/request";
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

export async function addAccount(username: string, password: string): Promise<void> {
  await request("/api/admin/accounts", { method: "POST", body: { username, password } });
}

/** Signs the account out everywhere. */
export async function changePassword(username: string, password: string): Promise<void> {
  await request(`/api/admin/accounts/${username}`, { method: "PATCH", body: { password } });
}

export async function removeAccount(username: string): Promise<void> {
  await request(`/api/admin/accounts/${username}`, { method: "DELETE" });
}

export async function endSession(id: string): Promise<void> {
  await request(`/api/admin/sessions/${id}`, { method: "DELETE" });
}
