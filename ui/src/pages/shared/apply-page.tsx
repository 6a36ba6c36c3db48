import type { ReactNode } from "react";
import type { Kind } from "../../lib/page";
import { Art } from "../../brand/art";
import { PageHead } from "../../kit/page-head";
import type { ApplyData } from "./apply-data.server";
import { LazyApplicationForm } from "./lazy-application-form";

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
  return (
    <>
      <PageHead eyebrow={`${event.dates} · ${event.city}`} title={text.title} lead={text.introduction} art={<Art picture={{ image: "", alt: "", art }} />} />
      {before}
      <div className="frame form-page">
        <LazyApplicationForm kind={kind} texts={{ ...text, steps }} documents={documents} />
      </div>
      {after}
    </>
  );
}
