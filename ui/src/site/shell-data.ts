import type { PageInput } from "../api/page";
import type { Shell } from "../parts/shell-context";

export function shellOf({ content, site }: PageInput): Shell {
  return {
    name: content.event.name,
    shortName: content.event.shortName,
    dates: content.event.dates,
    city: content.event.city,
    organiser: content.event.organiser,
    email: content.contact.email,
    demo: site.demo,
    chat: null,
    socials: [],
    openings: site.openings,
  };
}
