import type { Venue } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
  description: string;
  venue: Venue;
  dates: string;
  hours: string;
}

export function data({ content }: PageInput): Data {
  const { event, venue, descriptions } = content;
  return { name: event.name, description: descriptions.venue, venue, dates: event.dates, hours: `${event.hours} ${event.timeZoneLabel}` };
}

export function head({ name, venue, description }: Data): Head {
  return { title: `${venue.title}: ${venue.name} - ${name}`, description };
}
