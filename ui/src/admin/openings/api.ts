import useSWR from "swr";
import type { FormOpening, Kind } from "../../lib/answer-types";
import { requestJson } from "../../lib/request";
import type { Key } from "../../lib/swr-settings";

export interface Openings {
  items: FormOpening[];
}

const key: Key = ["/api", "openings"];

export function useOpenings() {
  return useSWR<Openings, unknown>(key);
}

/** Returns all forms as they are then. */
export function openForm(kind: Kind): Promise<Openings> {
  return requestJson(`/api/openings/${kind}`, { method: "POST", body: { open: true, message: "" } });
}

/** Visitors read the message, or a default one if it is empty. Returns all forms as they are then. */
export function closeForm(kind: Kind, message: string): Promise<Openings> {
  return requestJson(`/api/openings/${kind}`, { method: "POST", body: { open: false, message } });
}
