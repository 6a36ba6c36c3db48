import type { PageInput } from "../../lib/page";
import { legalData } from "../shared/legal-page.server";

export { LegalPage as View, legalHead as head } from "../shared/legal-page.server";
export const data = (input: PageInput) => legalData(input, "privacy");
