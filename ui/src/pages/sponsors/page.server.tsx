import { formOf } from "../../forms/rules/form-table";
import { RegistrationForm } from "../../forms/registration-form";
import { Art } from "../../brand/art";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import { ActionLink, OutsideLink } from "../../kit/site-link";
import type { Logo, Sponsors } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export function View({ data: { sponsors, organiser, partnershipEmail, figures, steps } }: { data: Data }) {
  const mail = `mailto:${partnershipEmail}?subject=${encodeURIComponent(sponsors.contactSubject)}`;
  const texts = { submitLabel: sponsors.inquiryButtonLabel, successTitle: sponsors.inquirySuccessTitle, successText: sponsors.inquirySuccessText, steps };
  return (
    <>
      <PageHead title={sponsors.title} lead={sponsors.introduction} art={<Art picture={{ image: "", alt: "", art: "products" }} eager />}>
        <div className="buttons">
          <ActionLink href={sponsors.applyLink.href}>{sponsors.applyLink.label}</ActionLink>
          <a className="button button-outline" href={mail}>{sponsors.contactLabel}</a>
        </div>
      </PageHead>
      <ul className="big-figures frame">{figures.map((figure) => <BigFigure key={figure} text={figure} />)}</ul>
      <Logos logosTitle={sponsors.logosTitle} logos={sponsors.logos} />
      <section className="section frame" aria-labelledby="ways-title">
        <h2 id="ways-title">{sponsors.waysTitle}</h2>
        <dl className="item-grid">
          {sponsors.ways.map(({ title, text }) => <div key={title}><dt className="title">{title}</dt><dd>{text}</dd></div>)}
        </dl>
      </section>
      <section className="section tint" id="inquiry" aria-labelledby="inquiry-title">
        <div className="frame two-columns">
          <div>
            <h2 id="inquiry-title">{sponsors.inquiryTitle}</h2>
            <p className="lead">{sponsors.inquiryText}</p>
            <h3 className="spaced">{sponsors.contactTitle}</h3>
            <p>{sponsors.contactText}</p>
            <p><a className="button button-plain" href={mail}>{sponsors.contactLabel}</a></p>
          </div>
          <div className="inquiry-form-place"><Island name="registration-form" of={RegistrationForm} props={{ form: formOf("sponsor-inquiries"), texts }} whenNear /></div>
        </div>
      </section>
      <section className="section blushed" aria-labelledby="organiser-title">
        <div className="frame two-columns">
          <h2 id="organiser-title">{sponsors.organiserTitle}</h2>
          <div className="prose">
            <h3>{organiser.name}</h3>
            <p>{organiser.description}</p>
            <p><OutsideLink className="button button-outline" href={organiser.website}>{sponsors.organiserLinkLabel}</OutsideLink></p>
          </div>
        </div>
      </section>
    </>
  );
}

/** "500+ professionals" with its figure large. */
function BigFigure({ text }: { text: string }) {
  const [, figure, rest] = /^(\S*\d\S*)\s+(.*)$/.exec(text) ?? [];
  return <li>{figure && <strong className="display">{figure}</strong>} {rest ?? text}</li>;
}

/** Who sponsors the event, those of one tier together, in the order of the content. */
export function Logos({ logosTitle, logos }: Pick<Sponsors, "logosTitle" | "logos">) {
  if (logos.length === 0) return null;
  const tiers = [...new Set(logos.map(({ tier }) => tier))];
  return (
    <section className="section frame" aria-labelledby="logos-title">
      <h2 id="logos-title">{logosTitle}</h2>
      {tiers.map((tier) => (
        <div key={tier} className="sponsor-tier">
          {tier && <h3 className="eyebrow">{tier}</h3>}
          <ul className="sponsor-logos">{logos.filter((logo) => logo.tier === tier).map((logo) => <li key={logo.name}><Sponsor {...logo} /></li>)}</ul>
        </div>
      ))}
    </section>
  );
}

function Sponsor({ name, url, image }: Logo) {
  const logo = image ? <img loading="lazy" decoding="async" sizes="(min-width: 48rem) 16rem, 50vw" {...image} alt={name} /> : <span className="title">{name}</span>;
  return url ? <OutsideLink href={url}>{logo}</OutsideLink> : logo;
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  const { event, sponsors, organiser, contact, descriptions, mail } = content;
  return {
    name: event.name,
    description: descriptions.sponsors,
    sponsors,
    organiser: { name: organiser.name, description: organiser.description, website: organiser.website },
    partnershipEmail: contact.partnershipEmail,
    figures: [event.expectedProfessionals, event.vendorBooths, event.arenaStations],
    /** What happens after an inquiry. */
    steps: mail.next["sponsor-inquiries"] ?? [],
  };
}

export function head({ name, sponsors, description }: Data): Head {
  return { title: `${sponsors.title} - ${name}`, description };
}
