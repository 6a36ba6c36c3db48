import type { Organiser, Sponsors } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
  description: string;
  sponsors: Sponsors;
  organiser: Pick<Organiser, "name" | "description" | "website">;
  partnershipEmail: string;
  figures: string[];
  /** What happens after an inquiry. */
  steps: string[];
}

export function data({ content }: PageInput): Data {
  const { event, sponsors, organiser, contact, descriptions, mail } = content;
  return {
    name: event.name,
    description: descriptions.sponsors,
    sponsors,
    organiser: { name: organiser.name, description: organiser.description, website: organiser.website },
    partnershipEmail: contact.partnershipEmail,
    figures: [event.expectedProfessionals, event.vendorBooths, event.arenaStations],
    steps: mail.next["sponsor-inquiries"] ?? [],
  };
}

export function head({ name, sponsors, description }: Data): Head {
  return { title: `${sponsors.title} - ${name}`, description };
}
