import useSWR from "swr";
import { send } from "../../lib/request";
import { fetcher, type Key } from "../../lib/swr-settings";
import { serverNow } from "../../lib/clock";
import type { Backups as Overview } from "../../lib/answer-types";

/** `readAt` is when this was loaded, in ms since 1970. */
export type Backups = Overview & { readAt: number };

const key: Key = ["/api", "backups"];

export function useBackups() {
  return useSWR<Backups, unknown>(key, readBackups);
}

async function readBackups(path: Key): Promise<Backups> {
  return { ...(await fetcher(path)) as Overview, readAt: serverNow() };
}

/** Makes one and checks it. */
export const makeBackup = () => send("POST", "/api/backups");
