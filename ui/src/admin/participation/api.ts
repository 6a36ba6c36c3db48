import { requestJson, request } from "../../lib/request";
import type { Registration } from "../shell/kinds";
import { saveVersion, type Versioned } from "../shell/versioned";

type Entry = Versioned<Registration>;

async function post({ value: { id }, tag }: Entry, action: string, body: unknown): Promise<void> {
  await saveVersion(`/api/competition-entries/${id}/${action}`, tag, { method: "POST", body });
}

async function setStatus({ value: { id }, tag }: Entry, body: { status: string; note?: string }): Promise<void> {
  await saveVersion(`/api/competition-entries/${id}`, tag, { method: "PATCH", body });
}

export async function withdraw(entry: Entry, reason: string): Promise<void> {
  await post(entry, "withdraw", { reason });
}

export async function makeComplimentary(entry: Entry, reason: string): Promise<void> {
  await post(entry, "complimentary", { reason });
}

export async function noteNoShow(entry: Entry, note: string): Promise<void> {
  await setStatus(entry, { status: "no_show", ...(note && { note }) });
}

/** Takes back a withdrawal or a no-show. */
export async function takeBack(entry: Entry): Promise<void> {
  await setStatus(entry, { status: "new" });
}

export async function offerTicket(entry: Entry, name: string, email: string, reason: string): Promise<void> {
  await post(entry, "transfer", { name, email, reason });
}

/** The address of a new link to the receipt. */
export async function makeReceiptLink(id: number): Promise<string> {
  return (await requestJson<{ url: string }>(`/api/competition-entries/${id}/receipt-link`, { method: "POST", body: {} })).url;
}

export async function saveSponsorPlaces(id: number, places: number): Promise<void> {
  await request(`/api/sponsor-applications/${id}/places`, { method: "PUT", body: { places } });
}
