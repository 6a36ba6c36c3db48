import type { PageInput } from "../../lib/page";
import { legalData } from "../shared/legal-page.server";

export { LegalPage as View, legalHead as head } from "../shared/legal-page.server";

export function data(input: PageInput) {
  const { photographyRelease, speakerTerms, judgeTerms, competitionTerms, demoTerms, sponsorTerms } = input.content.legal;
  return legalData(input, "terms", [competitionTerms, speakerTerms, judgeTerms, demoTerms, sponsorTerms, photographyRelease]);
}
