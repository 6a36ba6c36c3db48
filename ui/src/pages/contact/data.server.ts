import type { Contact, Organiser } from "../../lib/content-types";
import type { Head, PageInput } from "../../lib/page";

export interface Data {
  name: string;
  description: string;
  contact: Contact;
  organiser: Pick<Organiser, "legalName" | "address">;
}

export function data({ content }: PageInput): Data {
  const { event, contact, organiser, descriptions } = content;
  return { name: event.name, description: descriptions.contact, contact, organiser: { legalName: organiser.legalName, address: organiser.address } };
}

export function head({ name, description }: Data): Head {
  return { title: `Contact - ${name}`, description };
}
