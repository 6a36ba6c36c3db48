import { LashesComplete } from "../../brand/lashes";
import { ErrorBoundary } from "../../kit/error-boundary";
import { dollars } from "../../lib/money";
import { OutsideLink, SiteLink } from "../../kit/site-link";
import { StepList } from "../journey";
import { StepHead, BarStatus } from "../step-head";
import type { PaidEntry } from "../entry-labels";
import type { EntryData } from "../entry-data.server";
import { SharePictures } from "./share-pictures";

/** The last step: what was bought, where the receipt is, and what comes next. */
export function SuccessStep({ data, paid }: { data: EntryData; paid: PaidEntry }) {
  const { text, next, venue } = data;
  return (
    <div className="frame entry-step entry-success">
      <BarStatus step={3} cents={paid.cents} />
      <StepHead step={2} title={text.successTitle}>
        <LashesComplete />
        <p className="lead">{text.successText}</p>
        <Receipt email={paid.email} contact={data.email} />
      </StepHead>
      <dl className="fact-list">
        {paid.id !== null && <div><dt>Entry number</dt><dd className="title figures">{paid.id}</dd></div>}
        {paid.categories.length > 0 && (
          <div><dt>{paid.categories.length === 1 ? "Category" : "Categories"}</dt><dd>{paid.categories.map((label) => <span key={label} className="line">{label}</span>)}</dd></div>
        )}
        <div><dt>Total paid</dt><dd className="title figures">{dollars(paid.cents)}</dd></div>
      </dl>
      {next.steps.length > 0 && (
        <section aria-labelledby="entry-next">
          <h2 id="entry-next" className="title">What happens next</h2>
          <StepList steps={next.steps} done={1} />
          <p className="measure">{next.note}</p>
          {next.hasPortal && <p><SiteLink className="button button-outline" href="/artist-portal">Open the Artist Portal</SiteLink></p>}
        </section>
      )}
      <section className="entry-place" aria-labelledby="entry-place">
        <h2 id="entry-place" className="title">When and where</h2>
        <p>{data.event.dates}, {data.hours}</p>
        <address>{[venue.name, ...venue.address].map((line) => <span key={line} className="line">{line}</span>)}</address>
        <p className="buttons">
          <a className="button button-outline" href="/event.ics">{data.calendarLabel}</a>
          <OutsideLink className="button button-plain" href={venue.mapUrl}>{venue.mapLabel}</OutsideLink>
          <SiteLink className="button button-plain" href="/venue">Hotels nearby</SiteLink>
        </p>
      </section>
      {paid.categories.length > 0 && (
        <ErrorBoundary fallback={null}>
          <SharePictures event={{ name: data.name, ...data.event }} entered={paid.categories.map((label) => ({ label, art: data.cards.find((card) => card.label === label)?.art }))} />
        </ErrorBoundary>
      )}
      <div className="buttons">
        <SiteLink className="button button-primary" href="/">{text.returnLabel}</SiteLink>
      </div>
    </div>
  );
}

function Receipt({ email, contact }: { email: string | null; contact: string }) {
  const help = <>Look in spam or write to <a href={`mailto:${contact}`}>{contact}</a>.</>;
  if (email === null) return <p>Not in your inbox in ten minutes? {help}</p>;
  return <p>Receipt to <strong>{email}</strong>. Not there in ten minutes? {help}</p>;
}
