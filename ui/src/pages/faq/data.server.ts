import type { Faq } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

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
