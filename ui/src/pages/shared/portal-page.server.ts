import type { Head, PageInput } from "../../lib/page";
import type { PortalData } from "../../portal/frame";

/** The data of the pages that people reach by a personal link. */
interface Data extends PortalData {
  name: string;
}

export function portalData({ content: { event, contact } }: PageInput): Data {
  return { timeZone: event.timeZone, timeZoneLabel: event.timeZoneLabel, email: contact.email, name: event.name };
}

export function portalHead(title: string, description: string): (data: Data) => Head {
  return ({ name }) => ({ title: `${title} - ${name}`, description, noIndex: true });
}
