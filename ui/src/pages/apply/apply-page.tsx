import type { ReactNode } from "react";
import type { Head, Kind } from "../../api/page";
import type { ApplyData } from "./apply-data";
import { LazyApplicationForm } from "./lazy-application-form";

interface Props {
  kind: Kind;
  data: ApplyData;
  /** Between the page's head and the form. */
  before?: ReactNode;
  after?: ReactNode;
}

export function applyHead({ text, event, description }: ApplyData): Head {
  return { title: `${text.title} - ${event.name}`, description };
}

/** A page whose purpose is one form. */
export function ApplyPage({ kind, data, before, after }: Props) {
  const { text, event, documents } = data;
  return (
    <>
      <header className="page-head frame">
        <p className="eyebrow">{event.dates} · {event.city}</p>
        <h1>{text.title}</h1>
        <p className="lead">{text.introduction}</p>
      </header>
      {before}
      <div className="frame form-page">
        <LazyApplicationForm kind={kind} texts={text} documents={documents} />
      </div>
      {after}
    </>
  );
}
