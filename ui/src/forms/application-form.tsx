import type { Kind } from "../lib/page";
import { formOf } from "./rules/form-rules";
import type { LegalDocument } from "./legal-document";
import { RegistrationForm, type FormTexts } from "./registration-form";
import { SectionProgress } from "./fields/section-progress";

interface Props {
  kind: Kind;
  texts: FormTexts & { note: string };
  documents: Record<string, LegalDocument>;
}

/** A long form with its sections' progress beside it. */
export function ApplicationForm({ kind, texts, documents }: Props) {
  return (
    <RegistrationForm
      kind={kind}
      texts={texts}
      documents={documents}
      aside={
        <>
          <SectionProgress form={formOf(kind)} />
          <p className="form-aside-note">{texts.note}</p>
        </>
      }
    />
  );
}
