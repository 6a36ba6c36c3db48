import type { PageInput } from "../../lib/page";
import type { LegalData } from "../shared/legal-data.server";

export function data({ content }: PageInput): LegalData {
  const { event, legal, descriptions, contact } = content;
  return { name: event.name, description: descriptions.privacy, text: legal.privacy, email: contact.email };
}

export { legalHead as head } from "../shared/legal-data.server";
