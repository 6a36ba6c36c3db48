import useSWR from "swr";
import { request } from "../../lib/request";
import { fetcher, type Key } from "../../lib/swr-settings";
import { serverNow } from "../../lib/clock";

export interface Backup {
  name: string;
  at: string;
  bytes: number;
}

export interface Backups {
  items: Backup[];
  /** 0 if there are no automatic backups. */
  everyHours: number;
  keep: number;
  folder: string;
  freeBytes: number | null;
  /** When this was loaded, in ms since 1970. */
  readAt: number;
}

const key: Key = ["/api", "backups"];

export function useBackups() {
  return useSWR<Backups, unknown>(key, readBackups);
}

async function readBackups(path: Key): Promise<Backups> {
  return { ...(await fetcher(path)) as Omit<Backups, "readAt">, readAt: serverNow() };
}

/** Makes one and checks it. */
export async function makeBackup(): Promise<void> {
  await request("/api/backups", { method: "POST" });
}
