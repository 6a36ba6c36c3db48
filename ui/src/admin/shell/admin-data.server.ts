import { kinds, type Head, type Kind, type PageInput } from "../../lib/page";
import type { FormLabels } from "./form-labels";
import { formLabels } from "./form-labels.server";
import { deskPath } from "./kinds";
import { deskTitle, roomNames, roomPath, type Room } from "./sections";

/** What the desk knows before it asks the server for anything. */
export interface DeskData {
  event: string;
  /** The start of a file's name when the server gives none. */
  fileName: string;
  timeZone: string;
  timeZoneLabel: string;
  /** What the entry form calls its categories. */
  categoryNames: Record<string, string>;
  /** What one additional category costs, without tax. */
  categoryCents: number;
  /** One of the desk's own rooms; null in the others. */
  room: Room | null;
  /** The kind whose list is shown; null on the start page. */
  kind: Kind | null;
  form: FormLabels | null;
}

export function deskData({ content }: PageInput, path: string): DeskData {
  const { event } = content;
  const kind = kinds.find((candidate) => deskPath(candidate) === path) ?? null;
  return {
    event: event.name,
    fileName: event.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""),
    timeZone: event.timeZone,
    timeZoneLabel: event.timeZoneLabel,
    categoryNames: Object.fromEntries(content.categories.map(({ slug, label }) => [slug, label])),
    categoryCents: content.pricing.additionalCategoriesCents[0] ?? 0,
    room: roomNames.find((candidate) => roomPath(candidate) === path) ?? null,
    kind,
    form: kind && formLabels(kind, content),
  };
}

export function deskHead({ event, kind, room: name }: DeskData): Head {
  const room = deskTitle(kind, name);
  return { title: `${room} - ${event}`, description: `${room}: the organiser's desk of ${event}.`, noIndex: true };
}
