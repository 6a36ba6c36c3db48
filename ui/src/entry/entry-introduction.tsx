import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import type { Values } from "../forms/rules/rules";
import { Mark } from "../brand/mark";
import { dollars, shortDollars } from "../lib/money";
import { PageHead } from "../kit/page-head";
import { SiteLink, useClosed, WaitlistLink } from "../kit/site-link";
import { enteredLabels } from "./entry-labels";
import type { EntryData } from "./entry-data.server";
import { useQuote } from "./form/pricing";

interface Props {
  data: EntryData;
  /** The visitor followed a link that names a category: the form comes before the list of categories. */
  linked: boolean;
}

/** The head of the page: the fee, the chosen category, whether entries are closed, and the categories on offer. */
export function EntryIntroduction({ data, linked }: Props) {
  const { event, text, feeCents, priority, closed } = data;
  const waitlistClosed = useClosed("waitlist-signups");
  const { setFocus } = useFormContext<Values>();
  const [primaryCategory, subCategory] = useWatch({ name: ["primaryCategory", "subCategory"] }) as unknown[];
  const quote = useQuote(data);
  const [label] = linked && closed === null ? enteredLabels(data, { primaryCategory, subCategory }) : [];
  return (
    <>
      <div className="entry-intro" data-linked={label !== undefined || undefined}>
        <PageHead title={text.title} lead={text.introduction} eyebrow={`${event.dates} · ${event.city}`} art={<Mark name="classic" alt="" loading="eager" />}>
          {label === undefined ? (
            <>
              <p className="page-head-note figures">
                <strong className="title">{shortDollars(quote?.subtotal ?? feeCents)}</strong>{" "}
                <span className="soft">{quote ? `plus ${dollars(quote.taxAmount)} sales tax: ${dollars(quote.total)} in all.` : "plus sales tax."}</span>
              </p>
              {priority && <p className="page-head-note soft">Priority registration deadline: {priority.until}. Regular price {shortDollars(priority.regularCents)}.</p>}
              {text.attendNote !== "" && !waitlistClosed && closed === null && (
                <p className="page-head-note soft">{text.attendNote} <SiteLink href="/#waitlist">Join the waitlist</SiteLink></p>
              )}
            </>
          ) : (
            <p className="page-head-note entry-linked">
              You are entering: <strong>{label}</strong>, <span className="figures">{quote ? `${dollars(quote.total)} with tax` : `${shortDollars(feeCents)} + tax`}</span>.{" "}
              <button type="button" className="read-link" onClick={() => setFocus("primaryCategory")}>Change<span className="hidden-text"> the category</span></button>
            </p>
          )}
        </PageHead>
      </div>
      {closed !== null && (
        <section className="frame" aria-labelledby="entry-closed">
          <div className="notice">
            <h2 id="entry-closed" className="title">{closed}</h2>
            <WaitlistLink hideIfClosed>Join the waitlist</WaitlistLink>
          </div>
        </section>
      )}
      <Offer data={data} />
    </>
  );
}

/** The categories with a link to their rules. On a phone they are collapsed to one line. */
function Offer({ data: { text, categories, counted } }: { data: EntryData }) {
  const [open, setOpen] = useState(false);
  return (
    <section className="section frame entry-categories" aria-labelledby="entry-categories" data-open={open || undefined}>
      <div className="section-head">
        <h2 id="entry-categories">{text.categoriesTitle}</h2>
        <button type="button" className="button button-plain entry-fold" aria-expanded={open} aria-controls="entry-cards" onClick={() => setOpen(!open)}>
          {counted}
        </button>
        <p className="lead">
          <span className="entry-notice">{text.rulesNotice} </span><SiteLink href={text.rulesLink.href}>{text.rulesLink.label}</SiteLink>
        </p>
      </div>
      <ul id="entry-cards" className="entry-cards">
        {categories.map((category) => (
          <li key={category.slug} className="entry-card">
            <h3 className="title">{category.label}</h3>
            <p>{category.description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
