import { versionDate } from "../../parts/clock";
import { Mark } from "../../parts/marks";
import { roundDollars } from "../../parts/money";
import { PageHead } from "../../parts/page-head";
import { SiteLink } from "../../parts/site-link";
import { WaitlistLink } from "../../parts/waitlist-link";
import type { EntryData } from "./entry-data";

/** What can be entered, what it costs, and whether it is open. */
export function EntryIntroduction({ data: { event, text, categories, feeCents, priority, closed } }: { data: EntryData }) {
  return (
    <>
      <PageHead title={text.title} lead={text.introduction} eyebrow={`${event.dates} · ${event.city}`} art={<Mark name="classic" />}>
        <p className="page-head-note"><strong className="title figures">{roundDollars(feeCents)}</strong> <span className="soft">plus sales tax. {text.note}</span></p>
        {priority && <p className="page-head-note soft">Priority registration deadline: {versionDate(priority.until)}. Regular price {roundDollars(priority.regularCents)}.</p>}
      </PageHead>
      {closed !== null && (
        <section className="frame" aria-labelledby="entry-closed">
          <div className="notice">
            <h2 id="entry-closed" className="title">{closed}</h2>
            <WaitlistLink wayOut>Join the waitlist</WaitlistLink>
          </div>
        </section>
      )}
      <section className="section frame entry-categories" aria-labelledby="entry-categories">
        <div className="section-head">
          <h2 id="entry-categories">{text.categoriesTitle}</h2>
          <p className="lead">
            {text.rulesNotice} <SiteLink href={text.rulesLink.href}>{text.rulesLink.label}</SiteLink>
          </p>
        </div>
        <ul className="entry-cards">
          {categories.map((category) => (
            <li key={category.slug} className="entry-card">
              <h3 className="title">{category.label}</h3>
              <p>{category.description}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
