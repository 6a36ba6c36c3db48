import type { After as AfterContent, EventDay, Hero as HeroContent, Home, Pass as PassContent, Content } from "../../lib/content-types";
import type { Head, PageInput, SiteFacts } from "../../lib/page";
import { dollars, shortDollars } from "../../lib/money";
import { shareImageOf } from "../../brand/share-image";
import { juryOf, type JuryContent } from "../shared/jury";

export interface Data {
  description: string;
  year: string;
  hero: HeroContent & { tagline: string; dates: string; city: string; region: string };
  facts: { label: string; value: string; before?: string }[];
  prices: { fee: string; exactFee: string; regular: string; additional: string[] };
  /** Why nobody can enter yet; "" if they can, or if entries are closed. */
  opensSoon: string;
  home: Omit<Home, "hero">;
  /** What happens after a waitlist signup. */
  waitlistSteps: string[];
  days: EventDay[];
  jury: JuryContent;
  pass: PassContent;
  after: AfterContent | null;
  structuredData: unknown;
}

export function data({ content, site }: PageInput): Data {
  const { event, pricing, pass } = content;
  const { hero, ...home } = content.home;
  const fee = shortDollars(site.participantFeeCents);
  const priceNote = site.today > pricing.priorityDeadline ? pass.priceNoteAfter : pass.priceNote;
  const opensSoon = site.payments === "off" && site.openings["competition-entries"].open ? content.apply.entry.paymentClosed : "";
  // Nothing is struck out once the regular price is charged.
  const regular = site.participantFeeCents === pricing.regularFeeCents ? "" : shortDollars(pricing.regularFeeCents);
  return {
    description: content.descriptions.home,
    year: event.firstDay.slice(0, 4),
    hero: { ...hero, tagline: event.tagline, dates: event.dates, city: event.city, region: event.region },
    facts: [
      ...event.days.map((day) => ({ label: day.label, value: day.theme })),
      { label: `Hours, both days (${event.timeZoneLabel})`, value: event.hours },
      ...(regular === "" || priceNote === "" ? [] : [{ label: priceNote, value: fee, before: regular }]),
    ],
    prices: { fee, regular, exactFee: dollars(site.participantFeeCents), additional: pricing.additionalCategoriesCents.map(shortDollars) },
    opensSoon,
    home,
    waitlistSteps: content.mail.next["waitlist-signups"] ?? [],
    days: event.days,
    jury: juryOf(content),
    pass: { ...pass, priceNote },
    after: content.phase === "after" ? content.after : null,
    structuredData: eventStructuredData(content, site),
  };
}

export function head({ hero, description, structuredData }: Data): Head {
  return { title: `${hero.tagline} | ${hero.dates}, ${hero.city}`, description, structuredData };
}

/** What search engines read about the event (schema.org). */
function eventStructuredData(content: Content, site: SiteFacts) {
  const { event, venue, organiser, pass, phase } = content;
  const origin = site.publicUrl.replace(/\/$/, "");
  return {
    "@context": "https://schema.org",
    "@type": "Event",
    name: event.tagline,
    description: event.summary,
    startDate: site.startsAt,
    endDate: site.endsAt,
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/OfflineEventAttendanceMode",
    image: [origin + shareImageOf(content)],
    location: {
      "@type": "Place",
      name: venue.name,
      address: {
        "@type": "PostalAddress",
        streetAddress: venue.street,
        addressLocality: venue.locality,
        addressRegion: venue.state,
        postalCode: venue.postalCode || undefined,
        addressCountry: venue.country,
      },
    },
    organizer: { "@type": "Organization", name: organiser.name, url: organiser.website },
    offers: {
      "@type": "Offer",
      name: pass.name,
      price: (site.participantFeeCents / 100).toFixed(2),
      priceCurrency: "USD",
      url: `${origin}/enter-competition`,
      availability: phase === "after" || !site.openings["competition-entries"].open ? "https://schema.org/SoldOut" : "https://schema.org/InStock",
    },
  };
}
