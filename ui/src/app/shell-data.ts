import { closedPaths } from "./pages";
import type { PageInput } from "../lib/page";
import { versionDate } from "../lib/clock";
import { roundDollars } from "../lib/money";
import type { Shell } from "../lib/shell-context";

export function shellOf({ content, site }: PageInput): Shell {
  const { event, organiser, chat, contact, pass } = content;
  // Nobody can enter before payments are set up, whatever the form's own dates say.
  const opensSoon = site.payments === "off" && site.openings["competition-entries"].open;
  const openings = opensSoon ? { ...site.openings, "competition-entries": { open: false, message: content.apply.entry.paymentClosed } } : site.openings;
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
    offer: openings["competition-entries"].open ? { pass: pass.name, fee: roundDollars(site.participantFeeCents) } : null,
    socials: content.socialLinks.map(({ label, url }) => ({ label, href: url })),
    openings,
    closedPaths: Object.fromEntries([
      ...closedPaths((form) => openings[form].open).map((path) => [path, opensSoon && path === "/enter-competition" ? "Opens soon" : "Closed"]),
      ...(openings["waitlist-signups"].open ? [] : [["/#waitlist", "Closed"], ["#waitlist", "Closed"]]),
    ]) as Record<string, string>,
  };
}
