import { Mark } from "../../brand/marks";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { Head, PageInput } from "../../lib/page";
import { FaqDisclosure } from "./faq-disclosure";

export function View({ data: { faq, email, contactHeading } }: { data: Data }) {
  return (
    <>
      <PageHead title={faq.title} lead={faq.introduction} art={<Mark name="lamination" />}>
        <div className="buttons"><a className="button button-outline" href={`mailto:${email}`}>{contactHeading}</a></div>
      </PageHead>
      <div className="frame faq">{faq.sections.map((section) => <Island key={section.id} name="faq-disclosure" of={FaqDisclosure} props={{ section }} />)}</div>
    </>
  );
}

type Data = ReturnType<typeof data>;

export function data({ content }: PageInput) {
  const { event, faq, contact, descriptions } = content;
  return { name: event.name, description: descriptions.faq, faq, email: contact.email, contactHeading: contact.heading };
}

export function head({ name, faq, description }: Data): Head {
  return { title: `${faq.title} - ${name}`, description };
}
