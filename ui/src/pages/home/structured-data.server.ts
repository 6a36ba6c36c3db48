import type { Content } from "../../lib/content-types";
import type { SiteFacts } from "../../lib/page";
import { shareImageOf } from "../../brand/share-image";

/** What search engines read about the event (schema.org). */
export function eventStructuredData(content: Content, site: SiteFacts) {
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
