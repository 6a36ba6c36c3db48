import type { Content, EventFacts } from "../lib/content-types";

/** What the drawn share image says; `make-pictures.mjs` sets it. */
export const drawnEvent = {
  tagline: "The Global Lash & Brow Showcase + Championship",
  dates: "March 28-29, 2026",
  city: "Jersey City, NJ",
} satisfies Partial<EventFacts>;

/** The picture of a shared link: the organiser's, else the drawn one with the event's words as long as they are true. */
export function shareImageOf({ event, home }: Pick<Content, "event" | "home">): string {
  if (home.hero.image) return home.hero.image.src;
  const isDrawn = Object.entries(drawnEvent).every(([key, words]) => event[key as keyof typeof drawnEvent] === words);
  return isDrawn ? "/share.png" : "/share-plain.png";
}
