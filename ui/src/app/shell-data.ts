import { closedPaths } from "./pages";
import type { PageInput } from "../lib/page";
import { versionDate } from "../lib/dates";
import { shortDollars } from "../lib/money";
import type { Shell } from "../lib/shell-context";

export function shellOf({ content, site }: PageInput): Shell {
  const { event, organiser, chat, contact, pass } = content;
  return {
    name: event.tagline,
    shortName: event.name,
    dates: event.dates,
    city: event.city,
    email: contact.email,
    demo: site.demo ? { asOf: event.demoDay === null ? "" : versionDate(site.today) } : null,
    footnote: `${event.hours} ${event.timeZoneLabel} on both days. Organized by ${organiser.name}.`,
    chat: chat.number === "" ? null : {
      href: `https://wa.me/${chat.number}?text=${encodeURIComponent(chat.prefilledText)}`,
      label: chat.tooltip,
    },
    offer: site.openings["competition-entries"].open && site.payments !== "off" ? { pass: pass.name, fee: shortDollars(site.participantFeeCents) } : null,
    socials: content.socialLinks.map(({ label, url }) => ({ label, href: url })),
    openings: site.openings,
    closedPaths: [
      ...closedPaths((form) => site.openings[form].open),
      ...(site.openings["waitlist-signups"].open ? [] : ["/#waitlist", "#waitlist"]),
    ],
  };
}
