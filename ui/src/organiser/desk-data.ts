import { kinds, type Head, type Kind, type PageInput } from "../api/page";
import { formLabels, type FormLabels } from "./form-labels";
import { deskPath, kindWords } from "./kinds";

/** What the desk knows before it asks the server for anything. */
export interface DeskData {
  event: string;
  /** The start of a file's name when the server gives none. */
  fileName: string;
  timeZone: string;
  timeZoneLabel: string;
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
    kind,
    form: kind && formLabels(kind, content),
  };
}

export function deskHead({ event, kind }: DeskData): Head {
  const room = deskTitle(kind);
  return { title: `${room} - ${event}`, description: `${room}: the organiser's desk of ${event}.`, noIndex: true };
}

export function deskTitle(kind: Kind | null): string {
  return kind ? kindWords[kind].plural : "Registrations";
}
