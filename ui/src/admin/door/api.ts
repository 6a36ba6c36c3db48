import useSWR from "swr";
import { requestJson, send } from "../../lib/request";
import type { Device, Figures, Role, Ticket, TicketDetails } from "../../lib/answer-types";
import type { Key } from "../../lib/swr-settings";

export const pageSize = 50;
/** In milliseconds. Figures and devices are read again this often. */
const refreshInterval = 15_000;

export { roleNames as roles } from "../../door/words";
export type { Role };

export const resultLabels = { welcome: "Came in", walk_in: "Came in without a ticket", already: "Came in again", void: "Refused, void", wrong_list: "Refused, not on this list", unknown: "Unknown code" } as const;

export interface Filter {
  search: string;
  role: string;
  state: string;
}

const devicesKey: Key = ["/api", "door", "devices"];

export function useFigures() {
  return useSWR<Figures, unknown>(["/api", "tickets", "figures"], { refreshInterval, revalidateOnMount: true });
}

export function useDevices() {
  return useSWR<{ items: Device[] }, unknown>(devicesKey, { refreshInterval, revalidateOnMount: true });
}

/** One page of the tickets. While another one loads, the previous one stays. */
export function useTickets({ search, role, state }: Filter, page: number) {
  const query = new URLSearchParams({ ...(search && { search }), ...(role && { role }), ...(state && { state }), page: String(page), pageSize: String(pageSize) });
  return useSWR<{ items: Ticket[]; total: number }, unknown>(["/api", `tickets?${query}`], { keepPreviousData: true, revalidateOnMount: true });
}

export function useTicket(id: number) {
  return useSWR<TicketDetails, unknown>(["/api", "tickets", String(id)], { revalidateOnMount: true });
}

export interface NewGuest {
  name: string;
  business: string;
  note: string;
  email: string;
}

export function addGuest({ name, business, note, email }: NewGuest): Promise<{ id: number; code: string }> {
  return requestJson("/api/tickets", { method: "POST", body: { name, role: "guest", ...(business && { business }), ...(note && { note }), ...(email && { email }) } });
}

export const voidTicket = (id: number, reason: string) => send("POST", `/api/tickets/${id}/void`, { reason });
export const restoreTicket = (id: number) => send("POST", `/api/tickets/${id}/restore`);
export const sendTicket = (id: number) => send("POST", `/api/tickets/${id}/send`);
export const saveNote = (id: number, note: string) => send("POST", `/api/tickets/${id}/note`, { note });

/** Sends everybody, or one role, the tickets that they have not had. Returns how many. */
export async function sendTickets(role: string): Promise<number> {
  return (await requestJson<{ queued: number }>("/api/tickets/send", { method: "POST", body: role ? { role } : {} })).queued;
}

/** Returns the link that opens the device. It cannot be read again. Without `until`, an instant, the device ends with the event. */
export function addDevice(name: string, until?: string): Promise<{ id: number; url: string }> {
  return requestJson("/api/door/devices", { method: "POST", body: { name, ...(until && { until }) } });
}

export const endDevice = (id: number) => send("DELETE", `/api/door/devices/${id}`);

/** Records that the badges of a role, or of everybody, were printed, for tickets made until `madeUntil`. */
export const notePrinted = (role: string, madeUntil: string) => send("POST", "/api/badges", { ...(role && { role }), madeUntil });

/** Records that the badge of one ticket was printed. */
export const noteBadgePrinted = (ticket: number) => send("POST", "/api/badges", { ticket });

export function badgesPath(options: { role?: string; unprinted?: true; ticket?: number; size: string }): string {
  const query = Object.entries(options).filter(([, value]) => value !== undefined && value !== "").map(([name, value]) => [name, String(value)]);
  return `/api/badges?${new URLSearchParams(query)}`;
}
