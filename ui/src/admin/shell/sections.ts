import type { Kind } from "../../lib/page";
import { kindWords } from "./kinds";

/** The desk's own rooms, beside the lists. */
export const rooms = {
  forms: "Forms",
  payments: "Payments",
  outbox: "Outbox",
  audit: "Audit log",
  backups: "Backups",
  access: "Who has access",
} as const;

export type Room = keyof typeof rooms;

export const roomNames = Object.keys(rooms) as Room[];

export function roomPath(room: Room): string {
  return `/export-data/${room}`;
}

export function deskTitle(kind: Kind | null, room: Room | null): string {
  if (room) return rooms[room];
  return kind ? kindWords[kind].plural : "Registrations";
}
