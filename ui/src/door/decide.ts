import type { Admission, DoorSnapshot, DoorTicket, Scan, ScanOutcome, Verdict } from "../lib/answer-types";
import { dayOf } from "./event-time";

/** A scan of this device, until the server's list contains it. */
export interface OwnScan extends Scan {
  /** What the door has answered; the server's own answer once it is there. */
  result: Verdict;
  /** When the holder came in before. */
  first?: ScanOutcome["first"];
  /** "waiting": the server does not have it. "refused": it never will, and the organizer is shown why. */
  state: "waiting" | "sent" | "refused";
  /** When it was taken back, and whether the server knows. */
  undoneAt?: string;
  isUndoSent?: boolean;
}

export interface Decision {
  result: Verdict;
  ticket?: DoorTicket;
  first?: Admission;
}

export function letsIn({ result, anyway }: Pick<OwnScan, "result" | "anyway">): boolean {
  return result === "welcome" || result === "already" || result === "walk_in" || !!anyway;
}

/** Everybody's entries: those of the server's list, and this device's that it does not have yet. */
export function allEntries(list: DoorSnapshot, own: readonly OwnScan[]): Admission[] {
  const undone = new Set(own.filter(({ undoneAt }) => undoneAt).map(({ id }) => id));
  const known = new Set(list.scans.map(({ id }) => id));
  const newer = own.filter((scan) => letsIn(scan) && !known.has(scan.id));
  return [...list.scans, ...newer.map((scan) => ({ ...scan, device: "this device" }))].filter(({ id }) => !undone.has(id));
}

/** What the door answers to a code, from what this device knows: as the server decides (src/door/scans.rs). */
export function decide(list: DoorSnapshot, own: readonly OwnScan[], key: string, code: string): Decision {
  // A walk-in without a code is nobody who came before.
  if (!code) return { result: "unknown" };
  const everybody = allEntries(list, own);
  // Somebody who was let in by name has a ticket with another code.
  const ticketCode = everybody.find(({ scanned }) => scanned === code)?.code ?? code;
  const ticket = list.tickets.find((one) => one.code === ticketCode);
  const first = everybody.filter((entry) => entry.code === ticketCode && entry.list === key).sort((one, other) => Date.parse(one.at) - Date.parse(other.at))[0];
  // Without a ticket on the list: this device has just let somebody in by name.
  if (!ticket) return first ? { result: "already", first } : { result: "unknown" };
  if (ticket.state === "void") return { result: "void", ticket };
  if (!ticket.lists.includes(key)) return { result: "wrong_list", ticket };
  return first ? { result: "already", ticket, first } : { result: "welcome", ticket };
}

/** How many holders of valid tickets and walk-ins are in, and how many tickets are expected. */
export function count(list: DoorSnapshot, own: readonly OwnScan[], key: string): { in: number; expected: number } {
  const codes = new Set<string>();
  for (const entry of allEntries(list, own)) if (entry.list === key) codes.add(entry.code || entry.id);
  return { in: codes.size, expected: list.tickets.filter((ticket) => ticket.state === "valid" && ticket.lists.includes(key)).length };
}

/** The tickets whose name, business or code has every word of the text, at most `most`. */
export function search(list: DoorSnapshot, text: string, most = 8): DoorTicket[] {
  const words = plain(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const matches = (ticket: DoorTicket) => {
    const about = plain(`${ticket.name} ${ticket.business ?? ""} ${ticket.code}`);
    return words.every((word) => about.includes(word));
  };
  return list.tickets.filter(matches).slice(0, most);
}

/** Without accents and case, so that "Zoe" finds "Zoë". */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The list to let in to now. It is not earlier than on the server's list: a phone may start with a clock that was not set. */
export function listOfNow(list: DoorSnapshot, now: number, timeZone: string): string {
  return listOfDay(list, dayOf(Math.max(now, Date.parse(list.at)), timeZone));
}

/** The list of the day; else the next one; else the last. */
export function listOfDay({ lists }: DoorSnapshot, today: string): string {
  return (lists.find(({ day }) => day >= today) ?? lists.at(-1))?.key ?? "";
}
