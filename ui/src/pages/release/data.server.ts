import type { Head, PageInput } from "../../lib/page";
import type { PortalData } from "../../portal/frame";

export interface Data extends PortalData {
  name: string;
}

export function data({ content: { event, contact } }: PageInput): Data {
  return { timeZone: event.timeZone, timeZoneLabel: event.timeZoneLabel, email: contact.email, name: event.name };
}

export function head({ name }: Data): Head {
  return { title: `Model release - ${name}`, description: "The model of a competition entry reads and signs the release here.", noIndex: true };
}
