import type { PageInput } from "../../lib/page";
import { legalHead, LegalPage, type LegalData } from "../shared/legal-page";

export function data({ content }: PageInput): LegalData {
  const { event, legal, descriptions, contact } = content;
  return { name: event.name, description: descriptions.refundPolicy, text: legal.refundPolicy, email: contact.email };
}

export const head = legalHead;

export const View = LegalPage;
