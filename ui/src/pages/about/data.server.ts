import type { About, Organiser, PastEdition } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
  description: string;
  about: About;
  facts: { label: string; value: string }[];
  organiser: Pick<Organiser, "name" | "description" | "website" | "websiteLabel">;
  past: PastEdition[];
}

export function data({ content }: PageInput): Data {
  const { event, venue, organiser, about, descriptions, after } = content;
  return {
    name: event.name,
    description: descriptions.about,
    about,
    facts: [
      { label: "Dates", value: event.dates },
      { label: `Hours, both days (${event.timeZoneLabel})`, value: event.hours },
      { label: "Venue", value: venue.name },
      { label: "City", value: `${event.city}, ${event.region}` },
      { label: "Taking part", value: event.selectedProfessionals },
    ],
    organiser: { name: organiser.name, description: organiser.description, website: organiser.website, websiteLabel: organiser.websiteLabel },
    past: after.past,
  };
}

export function head({ name, about, description }: Data): Head {
  return { title: `${about.title} - ${name}`, description };
}
