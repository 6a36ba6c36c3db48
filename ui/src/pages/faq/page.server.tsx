import { Mark } from "../../brand/marks";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { Faq } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";
import { Fold } from "./fold";

export function View({ data: { faq, email, contactHeading } }: { data: Data }) {
  return (
    <>
      <PageHead title={faq.title} lead={faq.introduction} art={<Mark name="lamination" />}>
        <div className="buttons"><a className="button button-outline" href={`mailto:${email}`}>{contactHeading}</a></div>
      </PageHead>
      <div className="frame faq">{faq.sections.map((section) => <Island key={section.id} name="fold" of={Fold} props={{ section }} />)}</div>
    </>
  );
}

export interface Data {
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
