import type { SiteFacts } from "../../lib/answer-types";
import type { Card, EventDay, Closing as ClosingContent, Quote, Waitlist, After as AfterContent, Hero as HeroContent, Home, Pass as PassContent, Content } from "../../lib/content-types";
import { ArrowIcon } from "../../kit/icon";
import { SiteLink, ActionLink, WaitlistLink } from "../../kit/site-link";
import { Divider } from "../../brand/divider";
import { formOf } from "../../forms/rules/form-table";
import { RegistrationForm } from "../../forms/registration-form";
import { Island } from "../../kit/island";
import type { Head, PageInput } from "../../lib/page";
import { dollars, shortDollars } from "../../lib/money";
import { shareImageOf } from "../../brand/share-image";
import { Jury, juryOf, type JuryContent } from "../shared/jury";
import { CategoryCarousel } from "./category-carousel";
import { Hero } from "./hero";
import { Pass } from "./pass";
import { Recognition, Moments, Winners } from "./recognition";

export function View({ data: page }: { data: Data }) {
  const { home } = page;
  return (
    <>
      <Hero {...page.hero} facts={page.facts} fee={page.prices.fee} thanks={page.after} />
      {page.after ? <Winners {...page.after} year={page.year} /> : <Ways cards={home.cards} sponsorsCard={home.sponsorsCard} days={page.days} />}
      {page.after && <Moments galleryTitle={page.after.galleryTitle} gallery={page.after.gallery} />}
      <CategoryCarousel {...home.carousel} over={page.after !== null} />
      <Recognition {...home.recognition} year={page.year} slideshow={home.slideshow} over={page.after !== null} />
      <Jury {...page.jury} />
      {home.quote && <Quotation {...home.quote} />}
      {!page.after && <Pass notOpenReason={page.notOpenReason} pass={page.pass} prices={page.prices} />}
      {!page.after && <Closing {...home.closing} waitlist={home.waitlist.title} />}
      <WaitlistSection {...home.waitlist} steps={page.waitlistSteps} {...(page.after && { title: page.after.nextTitle, text: page.after.nextText })} />
    </>
  );
}

interface WaysProps {
  cards: Card[];
  sponsorsCard: Card;
  days: EventDay[];
}

/** Three ways in, one for sponsors, and what each day brings. */
function Ways({ cards, sponsorsCard, days }: WaysProps) {
  return (
    <section className="section ways frame" aria-labelledby="ways-title">
      <h2 id="ways-title">Two days, <em>four ways in</em></h2>
      <div className="ways-cards">
        {cards.map((card) => <WayCard key={card.title} {...card} />)}
      </div>
      <WayCard {...sponsorsCard} wide />
      <div className="days">
        {days.map((day) => (
          <article key={day.label}>
            <p className="eyebrow">{day.label}</p>
            <h3>{day.theme}</h3>
            <ul>{day.points.map((point) => <li key={point}>{point}</li>)}</ul>
          </article>
        ))}
      </div>
    </section>
  );
}

function WayCard({ title, text, link, wide = false }: Card & { wide?: boolean }) {
  return (
    <article className={wide ? "way way-wide" : "way"}>
      <h3>{title}</h3>
      <p>{text}</p>
      <SiteLink href={link.href} className="way-link">{link.label} <ArrowIcon /></SiteLink>
    </article>
  );
}

interface ClosingProps extends ClosingContent {
  /** What the link to the waitlist says. */
  waitlist: string;
}

function Closing({ title, text, buttons, waitlist }: ClosingProps) {
  return (
    <section className="section closing" aria-labelledby="closing-title">
      <div className="frame">
        <Divider />
        <h2 id="closing-title" className="closing-title">{title}</h2>
        <p className="lead">{text}</p>
        <div className="buttons">
          {buttons.map(({ label, href }, index) => (
            <ActionLink key={href} href={href} look={index === 0 ? "primary" : "outline"}>{label}</ActionLink>
          ))}
          <WaitlistLink>{waitlist}</WaitlistLink>
        </div>
      </div>
    </section>
  );
}

function Quotation({ text, name, role }: Quote) {
  return (
    <figure className="section frame quotation">
      <blockquote>{text}</blockquote>
      <figcaption><strong>{name}</strong>, {role}</figcaption>
    </figure>
  );
}

function WaitlistSection({ title, text, buttonLabel, successTitle, successText, steps }: Waitlist & { steps: string[] }) {
  const texts = { submitLabel: buttonLabel, successTitle, successText, steps };
  return (
    <section id="waitlist" className="section tint waitlist" aria-labelledby="waitlist-title">
      <div className="frame waitlist-grid">
        <div>
          <h2 id="waitlist-title">{title}</h2>
          <p className="lead">{text}</p>
        </div>
        <div className="waitlist-form-place"><Island name="registration-form" of={RegistrationForm} props={{ form: formOf("waitlist-signups"), texts }} whenNear /></div>
      </div>
    </section>
  );
}

export interface Data {
  description: string;
  year: string;
  hero: HeroContent & { tagline: string; dates: string; city: string; region: string };
  facts: { label: string; value: string; before?: string }[];
  prices: { fee: string; exactFee: string; regular: string; additional: string[] };
  /** Why nobody can enter yet; "" if they can, or if entries are closed. */
  notOpenReason: string;
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
  const notOpenReason = site.payments === "off" && site.openings["competition-entries"].open ? content.apply.entry.paymentClosed : "";
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
    notOpenReason,
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
  const { open, opensAt } = site.openings["competition-entries"];
  const availability = open ? "InStock" : opensAt ? "PreOrder" : "SoldOut";
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
      availability: `https://schema.org/${phase === "after" ? "SoldOut" : availability}`,
      validFrom: phase === "after" ? undefined : opensAt,
    },
  };
}
