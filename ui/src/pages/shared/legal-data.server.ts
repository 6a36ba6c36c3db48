import type { LegalText } from "../../lib/content-types";
import type { Head } from "../../lib/page";

export interface LegalData {
  name: string;
  description: string;
  text: LegalText;
  /** Texts that are agreed to on the forms, to be read here too. */
  agreements?: LegalText[];
  email: string;
}

export function legalHead({ name, description, text }: LegalData): Head {
  return { title: `${text.title} - ${name}`, description };
}
