import type { Kind } from "../../lib/page";
import { kindLabels, type Registration } from "./kinds";

/** Who registered. */
export function nameOf(kind: Kind, record: Registration): string {
  return String(record[kindLabels[kind].name] ?? `Number ${record.id}`);
}

let left: { kind: Kind; id: number } | undefined;

/** Notes which record is open, so that its list can return to it. */
export function openedRecord(kind: Kind, id: number): void {
  left = { kind, id };
}

/** The record of this kind that was open last. The second call returns undefined. */
export function leftRecord(kind: Kind): number | undefined {
  const id = left?.kind === kind ? left.id : undefined;
  left = undefined;
  return id;
}
