import type { ReactNode } from "react";
import type { Kind } from "../../lib/answer-types";
import type { Head } from "../../lib/page";
import { ApplicationForm } from "../../forms/application-form";
import { formOf } from "../../forms/rules/form-table";
import { Art } from "../../brand/art";
import { lashDrawing } from "../../brand/lashes";
import { askedFields } from "../../forms/fields/section-progress";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { Content as EventContent } from "../../lib/content-types";
import { documentOf, type LegalDocument } from "../../forms/form-place";

interface Props {
  kind: Kind;
  data: ApplyData;
  /** The name of the drawing beside the title. */
  art: string;
  /** Between the page's head and the form. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A page whose purpose is one form. */
export function ApplyPage({ kind, data, art, before, after }: Props) {
  const { text, event, documents, steps } = data;
  const form = formOf(kind);
  const { submitLabel, successTitle, successText, note } = text;
  return (
    <>
      <PageHead eyebrow={`${event.dates} · ${event.city}`} title={text.title} lead={text.introduction} art={<Art picture={{ image: "", alt: "", art }} />} />
      {before}
      <div className="frame form-page">
        <Island name="application-form" of={ApplicationForm} props={{ form, drawing: lashDrawing(askedFields(form, {}).length), texts: { submitLabel, successTitle, successText, note, steps }, documents }} />
      </div>
      {after}
    </>
  );
}

type Content = Pick<EventContent, "event" | "descriptions" | "apply" | "legal" | "mail">;
type FormName = Exclude<keyof Content["apply"], "entry">;
type LegalName = keyof Content["legal"];

/** The slice of the content that a form's page needs. */
export interface ApplyData {
  event: { name: string; dates: string; city: string };
  description: string;
  text: Content["apply"][FormName];
  /** What happens next, as the confirmation email says it. */
  steps: string[];
  /** Field name to the text that is agreed to there. */
  documents: Record<string, LegalDocument>;
}

export function applyData(
  { event, descriptions, apply, legal, mail }: Content,
  kind: Kind,
  name: FormName,
  description: keyof Content["descriptions"],
  documents: Record<string, LegalName>,
): ApplyData {
  return {
    event: { name: event.name, dates: event.dates, city: event.city },
    description: descriptions[description],
    text: apply[name],
    // A page that lists the steps itself does not list them again after sending.
    steps: (apply[name].next ?? []).length > 0 ? [] : (mail.next[kind] ?? []),
    documents: Object.fromEntries(
      Object.entries(documents).map(([field, document]) => [field, documentOf(legal[document])]),
    ),
  };
}

export function applyHead({ text, event, description }: ApplyData): Head {
  return { title: `${text.title} - ${event.name}`, description };
}
