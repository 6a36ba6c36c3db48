import type { Head, PageInput } from "../../lib/page";
import type { PortalData } from "../../portal/frame";

export interface Data extends PortalData {
  name: string;
}

export function data({ content: { event, contact } }: PageInput): Data {
  return { timeZone: event.timeZone, timeZoneLabel: event.timeZoneLabel, email: contact.email, name: event.name };
}

export function head({ name }: Data): Head {
  return { title: `Artist Portal - ${name}`, description: "Competitors hand in their photos and model releases here.", noIndex: true };
}
