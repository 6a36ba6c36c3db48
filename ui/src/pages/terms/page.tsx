import type { PageInput } from "../../lib/page";
import { legalHead, LegalPage, type LegalData } from "../shared/legal-page";

export function data({ content }: PageInput): LegalData {
  const { event, legal, descriptions, contact } = content;
  const { photographyRelease, speakerTerms, judgeTerms, competitionTerms, demoTerms, sponsorTerms } = legal;
  const agreements = [competitionTerms, speakerTerms, judgeTerms, demoTerms, sponsorTerms, photographyRelease];
  return { name: event.name, description: descriptions.terms, text: legal.terms, agreements, email: contact.email };
}

export const head = legalHead;

export const View = LegalPage;
