import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import type { Content } from "../src/lib/content-types";
import type { PageInput } from "../src/lib/page";

const open = { open: true, message: null };
const submission = "We will email you how and by when to send your photos. Until then nothing is due.";
const values = { submission, price: "$449", prices: "$449.00 with one nomination; the regular price is $749.", awards: "March 29 at 6:00 PM" };
const written = readFileSync(new URL("../../src/site/content/event.toml", import.meta.url), "utf8");
const toml = parse(Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), written));

/** The built-in content, as the server would give it. */
export const sampleInput: PageInput = {
  site: {
    publicUrl: "https://example.com",
    demo: false,
    awaitsSetup: false,
    clockOffset: null,
    today: "2025-09-10",
    payments: "off",
    stripePublishableKey: null,
    participantFeeCents: 44900,
    submission,
    submissionIsOver: false,
    openings: {
      "speaker-applications": open,
      "judge-applications": open,
      "sponsor-applications": open,
      "professional-demo-registrations": open,
      "competition-entries": open,
      "waitlist-signups": open,
      "sponsor-inquiries": open,
    },
    startsAt: "2026-03-28T09:30:00-04:00",
    endsAt: "2026-03-29T20:00:00-04:00",
    results: { categories: [] },
  },
  content: withDefaults(camelCased(toml) as Content),
};

/** What the server adds where the file says nothing. */
function withDefaults(content: Content): Content {
  return { ...content, sponsors: { ...content.sponsors, logosTitle: "Our sponsors", logos: [] }, after: { ...content.after, galleryTitle: "Moments", gallery: [], past: [] } };
}

export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()), camelCased(inner)]),
  );
}
