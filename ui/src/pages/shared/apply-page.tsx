import type { ReactNode } from "react";
import type { Kind } from "../../lib/page";
import { ApplicationForm } from "../../forms/application-form";
import { formOf } from "../../forms/rules/form-table";
import { Art } from "../../brand/art";
import { lashDrawing } from "../../brand/lashes";
import { askedFields } from "../../forms/fields/section-progress";
import { Island } from "../../kit/island";
import { PageHead } from "../../kit/page-head";
import type { ApplyData } from "./apply-data.server";

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
