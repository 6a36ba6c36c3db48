import type { Content, EventFacts } from "../lib/content-types";

/** The text in the drawn share image; `make-pictures.mjs` draws it. */
export const drawnEvent = {
  tagline: "The Global Lash & Brow Showcase + Championship",
  dates: "March 28-29, 2026",
  city: "Jersey City, NJ",
} satisfies Partial<EventFacts>;

/** The site's share image: the organiser's photo; without one, the drawn image, with text only if that text still matches the event. */
export function shareImageOf({ event, home }: Pick<Content, "event" | "home">): string {
  if (home.hero.image) return home.hero.image.src;
  const isTextCurrent = Object.entries(drawnEvent).every(([key, text]) => event[key as keyof typeof drawnEvent] === text);
  return isTextCurrent ? "/share.png" : "/share-plain.png";
}
