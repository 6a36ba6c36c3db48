import useSWR from "swr";
import type { Kind } from "../../lib/page";
import { request } from "../../lib/request";
import type { Key } from "../../lib/swr-settings";

export interface Opening {
  kind: Kind;
  open: boolean;
  /** What visitors read while it is closed. */
  message: string | null;
  closedByHand: boolean;
}

const key: Key = ["/api", "openings"];

export function useOpenings() {
  return useSWR<{ items: Opening[] }, unknown>(key);
}

export async function openForm(kind: Kind): Promise<void> {
  await request(`/api/openings/${kind}`, { method: "POST", body: { open: true, message: "" } });
}

/** Visitors read the message, or a default one if it is empty. */
export async function closeForm(kind: Kind, message: string): Promise<void> {
  await request(`/api/openings/${kind}`, { method: "POST", body: { open: false, message } });
}
