import type { Category, EntryPage } from "../api/content-types";
import type { Head, PageInput } from "../api/page";
import { Mark } from "../parts/marks";
import { roundDollars } from "../parts/money";
import { PageHead } from "../parts/page-head";
import { SiteLink } from "../parts/site-link";

interface Data {
  name: string;
  description: string;
  entry: EntryPage;
  categories: Category[];
  feeCents: number;
  /** The organiser's reason, while entries are closed. */
  closed: string | null;
}

export function data({ content, site }: PageInput): Data {
  const opening = site.openings["competition-entries"];
  return {
    name: content.event.name,
    description: content.descriptions.enterCompetition,
    entry: content.apply.entry,
    categories: content.categories,
    feeCents: content.pricing.participantFeeCents,
    closed: opening.open ? null : opening.message,
  };
}

export function head({ name, entry, description }: Data): Head {
  return { title: `${entry.title} - ${name}`, description };
}

/** What can be entered and what it costs; the form itself opens with card payment. */
export function View({ data: { entry, categories, feeCents, closed } }: { data: Data }) {
  return (
    <>
      <PageHead title={entry.title} lead={entry.introduction} eyebrow={roundDollars(feeCents)} art={<Mark name="classic" />}>
        <p>{entry.note}</p>
      </PageHead>
      <section className="frame" aria-labelledby="entry-closed">
        <div className="notice">
          <h2 id="entry-closed" className="title">{closed ?? entry.paymentClosed}</h2>
          <SiteLink className="button button-plain" href="/#waitlist">Join the waitlist</SiteLink>
        </div>
      </section>
      <section className="section frame" aria-labelledby="entry-categories">
        <div className="section-head">
          <h2 id="entry-categories">{entry.categoriesTitle}</h2>
          <p className="lead">
            {entry.rulesNotice} <SiteLink href={entry.rulesLink.href}>{entry.rulesLink.label}</SiteLink>
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
