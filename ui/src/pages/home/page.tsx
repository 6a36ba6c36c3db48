import type { Card, EventDay, Closing as ClosingContent, Quote, Waitlist } from "../../lib/content-types";
import { ArrowIcon } from "../../kit/icon";
import { SiteLink, ActionLink, WaitlistLink } from "../../kit/site-link";
import { Divider } from "../../brand/divider";
import { formOf } from "../../forms/rules/form-table";
import { RegistrationForm } from "../../forms/registration-form";
import { Island } from "../../kit/island";
import { Jury } from "../shared/jury";
import { CategoryCarousel } from "./category-carousel";
import { Hero } from "./hero";
import { Pass } from "./pass";
import { Recognition, Moments, Winners } from "./recognition";
import type { Data } from "./data.server";

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
      {!page.after && <Pass opensSoon={page.opensSoon} pass={page.pass} prices={page.prices} />}
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
