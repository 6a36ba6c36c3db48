import type { EventContent } from "../api/content";
import type { LegalDocument } from "./legal-document";

/** What stands around a form: the content's `apply.<form>`. */
export interface ApplyText {
  title: string;
  introduction: string;
  note: string;
  submitLabel: string;
  successTitle: string;
  successText: string;
  tiles?: { title: string; text: string }[];
  nextTitle?: string;
  next?: string[];
}

/** The slice of the content that a form's page needs. */
export interface ApplyData {
  event: { name: string; dates: string; city: string };
  description: string;
  text: ApplyText;
  /** Field name to the text that is agreed to there. */
  documents: Record<string, LegalDocument>;
}

type FormName = "speaker" | "judge" | "sponsor" | "demo";
type LegalName = "photographyRelease" | "speakerTerms" | "judgeTerms" | "sponsorTerms" | "demoTerms";

interface FormContent {
  apply: Record<FormName, ApplyText>;
  legal: Record<LegalName, LegalDocument>;
}

export function applyData(
  content: EventContent,
  name: FormName,
  description: string,
  documents: Record<string, LegalName>,
): ApplyData {
  const { apply, legal } = content as EventContent & FormContent;
  const { title, introduction, note, submitLabel, successTitle, successText, tiles, nextTitle, next } = apply[name];
  return {
    event: { name: content.event.name, dates: content.event.dates, city: content.event.city },
    description: content.descriptions[description] ?? introduction,
    text: { title, introduction, note, submitLabel, successTitle, successText, tiles, nextTitle, next },
    documents: Object.fromEntries(Object.entries(documents).map(([field, document]) => [field, sliceOf(legal[document])])),
  };
}

function sliceOf({ title, version, introduction, bindingNote, sections }: LegalDocument): LegalDocument {
  return { title, version, introduction, bindingNote, sections: sections.map(({ title, text }) => ({ title, text })) };
}
