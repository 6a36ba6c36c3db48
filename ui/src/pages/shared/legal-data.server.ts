import type { LegalText } from "../../lib/content-types";
import type { Head } from "../../lib/page";

export interface LegalData {
  name: string;
  description: string;
  text: LegalText;
  /** The terms that people agree to in the forms, which this page shows too. */
  agreements?: LegalText[];
  email: string;
}

export function legalHead({ name, description, text }: LegalData): Head {
  return { title: `${text.title} - ${name}`, description };
}
