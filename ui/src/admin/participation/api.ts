import { request } from "../../lib/request";

async function post(id: number, action: string, body: unknown): Promise<Response> {
  return await request(`/api/competition-entries/${id}/${action}`, { method: "POST", body });
}

export async function withdraw(id: number, reason: string): Promise<void> {
  await post(id, "withdraw", { reason });
}

export async function makeComplimentary(id: number, reason: string): Promise<void> {
  await post(id, "complimentary", { reason });
}

export async function noteNoShow(id: number, note: string): Promise<void> {
  await request(`/api/competition-entries/${id}`, { method: "PATCH", body: { status: "no_show", ...(note && { note }) } });
}

/** Takes back a withdrawal or a no-show. */
export async function takeBack(id: number): Promise<void> {
  await request(`/api/competition-entries/${id}`, { method: "PATCH", body: { status: "new" } });
}

export async function offerTicket(id: number, name: string, email: string, reason: string): Promise<void> {
  await post(id, "transfer", { name, email, reason });
}

/** The address of a new link to the receipt. */
export async function makeReceiptLink(id: number): Promise<string> {
  const answer = await post(id, "receipt-link", {});
  return (await answer.json() as { url: string }).url;
}
