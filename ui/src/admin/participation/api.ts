import { requestJson, send } from "../../lib/request";
import type { Registration } from "../shell/kinds";
import { saveVersion, type Versioned } from "../shell/versioned";

type Entry = Versioned<Registration>;

const post = ({ value: { id }, tag }: Entry, action: string, body: unknown) => saveVersion(`/api/competition-entries/${id}/${action}`, tag, { method: "POST", body });

const setStatus = ({ value: { id }, tag }: Entry, body: { status: string; note?: string }) => saveVersion(`/api/competition-entries/${id}`, tag, { method: "PATCH", body });

export const withdraw = (entry: Entry, reason: string) => post(entry, "withdraw", { reason });
export const makeComplimentary = (entry: Entry, reason: string) => post(entry, "complimentary", { reason });
export const noteNoShow = (entry: Entry, note: string) => setStatus(entry, { status: "no_show", ...(note && { note }) });

/** Takes back a withdrawal or a no-show. */
export const takeBack = (entry: Entry) => setStatus(entry, { status: "new" });
export const offerTicket = (entry: Entry, name: string, email: string, reason: string) => post(entry, "transfer", { name, email, reason });

/** The address of a new link to the receipt. */
export async function makeReceiptLink(id: number): Promise<string> {
  return (await requestJson<{ url: string }>(`/api/competition-entries/${id}/receipt-link`, { method: "POST", body: {} })).url;
}

export const saveSponsorPlaces = (id: number, places: number) => send("PUT", `/api/sponsor-applications/${id}/places`, { places });
