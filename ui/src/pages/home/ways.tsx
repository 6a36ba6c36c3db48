import type { Card, EventDay } from "../../lib/content-types";
import { ArrowIcon } from "../../kit/arrow-icon";
import { SiteLink } from "../../kit/site-link";

interface WaysProps {
  cards: Card[];
  sponsorsCard: Card;
  days: EventDay[];
}

/** Three ways in, one for sponsors, and what each day brings. */
export function Ways({ cards, sponsorsCard, days }: WaysProps) {
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
