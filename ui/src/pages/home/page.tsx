import type { After as AfterContent, EventDay, Hero as HeroContent, Home, Pass as PassContent } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { Jury, juryOf, type JuryContent } from "../shared/jury";
import { dollars, roundDollars } from "../../lib/money";
import { CategoryCarousel } from "./category-carousel";
import { Closing } from "./closing";
import { Hero } from "./hero";
import { Pass } from "./pass";
import { Quotation } from "./quotation";
import { Recognition } from "./recognition";
import { eventStructuredData } from "./structured-data";
import { WaitlistSection } from "./waitlist-section";
import { Ways } from "./ways";
import { Winners } from "./winners";

export interface HomeData {
  description: string;
  year: string;
  hero: HeroContent & { tagline: string; dates: string; city: string; region: string };
  facts: { label: string; value: string; before?: string }[];
  prices: { fee: string; exactFee: string; regular: string; additional: string[] };
  home: Omit<Home, "hero">;
  /** What happens after a waitlist signup. */
  waitlistSteps: string[];
  days: EventDay[];
  jury: JuryContent;
  pass: PassContent;
  after: AfterContent | null;
  structuredData: unknown;
}

export function data({ content, site }: PageInput): HomeData {
  const { event, pricing, pass } = content;
  const { hero, ...home } = content.home;
  const fee = roundDollars(site.participantFeeCents);
  const priceNote = site.today > pricing.priorityDeadline ? pass.priceNoteAfter : pass.priceNote;
  // Nothing is struck out once the regular price is charged.
  const regular = site.participantFeeCents === pricing.regularFeeCents ? "" : roundDollars(pricing.regularFeeCents);
  return {
    description: content.descriptions.home,
    year: event.firstDay.slice(0, 4),
    hero: { ...hero, tagline: event.tagline, dates: event.dates, city: event.city, region: event.region },
    facts: [
      ...event.days.map((day) => ({ label: day.label, value: day.theme })),
      { label: `Hours, both days (${event.timeZoneLabel})`, value: event.hours },
      ...(regular === "" || priceNote === "" ? [] : [{ label: priceNote, value: fee, before: regular }]),
    ],
    prices: { fee, regular, exactFee: dollars(site.participantFeeCents), additional: pricing.additionalCategoriesCents.map(roundDollars) },
    home,
    waitlistSteps: content.mail.next["waitlist-signups"] ?? [],
    days: event.days,
    jury: juryOf(content),
    pass: { ...pass, priceNote },
    after: content.phase === "after" ? content.after : null,
    structuredData: eventStructuredData(content, site),
  };
}

export function head({ hero, description, structuredData }: HomeData): Head {
  return { title: `${hero.tagline} | ${hero.dates}, ${hero.city}`, description, structuredData };
}

export function View({ data: page }: { data: HomeData }) {
  const { home } = page;
  return (
    <>
      <Hero {...page.hero} facts={page.facts} fee={page.prices.fee} thanks={page.after} />
      {page.after ? <Winners {...page.after} year={page.year} /> : <Ways cards={home.cards} sponsorsCard={home.sponsorsCard} days={page.days} />}
      <CategoryCarousel {...home.carousel} over={page.after !== null} />
      <Recognition {...home.recognition} year={page.year} slideshow={home.slideshow} over={page.after !== null} />
      <Jury {...page.jury} />
      {home.quote && <Quotation {...home.quote} />}
      {!page.after && <Pass pass={page.pass} prices={page.prices} />}
      {!page.after && <Closing {...home.closing} waitlist={home.waitlist.title} />}
      <WaitlistSection {...home.waitlist} steps={page.waitlistSteps} {...(page.after && { title: page.after.nextTitle, text: page.after.nextText })} />
    </>
  );
}
