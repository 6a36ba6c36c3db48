import type { PageInput } from "../../lib/page";
import type { LegalData } from "../shared/legal-data.server";

export function data({ content }: PageInput): LegalData {
  const { event, legal, descriptions, contact } = content;
  const { photographyRelease, speakerTerms, judgeTerms, competitionTerms, demoTerms, sponsorTerms } = legal;
  const agreements = [competitionTerms, speakerTerms, judgeTerms, demoTerms, sponsorTerms, photographyRelease];
  return { name: event.name, description: descriptions.terms, text: legal.terms, agreements, email: contact.email };
}

export { legalHead as head } from "../shared/legal-data.server";
