import { useId, useState } from "react";
import type { Faq, FaqSection } from "../api/content-types";
import type { Head, PageInput } from "../api/page";
import { Mark } from "../parts/marks";
import { PageHead } from "../parts/page-head";
import { Paragraphs } from "../parts/paragraphs";

interface Data {
  name: string;
  description: string;
  faq: Faq;
  email: string;
  contactHeading: string;
}

export function data({ content }: PageInput): Data {
  const { event, faq, contact, descriptions } = content;
  return { name: event.name, description: descriptions.faq, faq, email: contact.email, contactHeading: contact.heading };
}

export function head({ name, faq, description }: Data): Head {
  return { title: `${faq.title} - ${name}`, description };
}

export function View({ data: { faq, email, contactHeading } }: { data: Data }) {
  return (
    <>
      <PageHead title={faq.title} lead={faq.introduction} art={<Mark name="lamination" />}>
        <div className="buttons"><a className="button button-outline" href={`mailto:${email}`}>{contactHeading}</a></div>
      </PageHead>
      <div className="frame faq">{faq.sections.map((section) => <FoldingSection key={section.id} section={section} />)}</div>
    </>
  );
}

function FoldingSection({ section }: { section: FaqSection }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="fold" id={section.id}>
      <h2>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {section.title} <span className="fold-sign" aria-hidden="true" />
        </button>
      </h2>
      <div id={id} className={open ? "fold-body is-open" : "fold-body"}>
        {section.items.map(({ question, answer }) => (
          <div key={question} className="question">
            <h3>{question}</h3>
            <Paragraphs text={answer} />
          </div>
        ))}
      </div>
    </section>
  );
}
