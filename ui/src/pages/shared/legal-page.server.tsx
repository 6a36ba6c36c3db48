import { Agreement, Paragraphs } from "../../kit/paragraphs";
import { versionDate } from "../../lib/dates";
import { PageHead } from "../../kit/page-head";
import type { Content, LegalText } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

/** A legal text as a page of its own, with its sections listed beside it. */
export function LegalPage({ data: { text, agreements = [], email } }: { data: LegalData }) {
  return (
    <>
      <PageHead title={text.title} lead={text.introduction} />
      <div className="frame legal">
        <nav aria-label="Sections" className="legal-list">
          <ol>
            {text.sections.map(({ title }, index) => <li key={title}><a href={`#section-${index + 1}`}>{title}</a></li>)}
            {agreements.map(({ title }, index) => <li key={title}><a href={`#agreement-${index + 1}`}>{title}</a></li>)}
          </ol>
        </nav>
        <div className="prose">
          {text.sections.map((section, index) => (
            <section key={section.title} id={`section-${index + 1}`}>
              <h2 className="title">{section.title}</h2>
              <Paragraphs text={section.text} />
            </section>
          ))}
          {text.bindingNote && <p><strong>{text.bindingNote}</strong></p>}
          <p className="soft">Questions? <a href={`mailto:${email}`}>{email}</a>. Last updated <span className="figures">{versionDate(text.version)}</span>.</p>
          {agreements.map((agreement, index) => (
            <section key={agreement.title} id={`agreement-${index + 1}`}>
              <h2 className="title">{agreement.title}</h2>
              <Agreement text={agreement} />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

interface LegalData {
  name: string;
  description: string;
  text: LegalText;
  /** The terms that people agree to in the forms, which this page shows too. */
  agreements?: LegalText[];
  email: string;
}

export function legalData({ content: { event, legal, descriptions, contact } }: PageInput, name: keyof Content["legal"] & keyof Content["descriptions"], agreements?: LegalText[]): LegalData {
  return { name: event.name, description: descriptions[name], text: legal[name], agreements, email: contact.email };
}

export function legalHead({ name, description, text }: LegalData): Head {
  return { title: `${text.title} - ${name}`, description };
}
