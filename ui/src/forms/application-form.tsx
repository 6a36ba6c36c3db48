import type { LashDrawing } from "../brand/lashes";
import type { FormRule } from "./rules/form-rules";
import type { LegalDocument } from "./form-place";
import { RegistrationForm, type FormTexts } from "./registration-form";
import { SectionProgress } from "./fields/section-progress";

interface Props {
  form: FormRule;
  drawing: LashDrawing;
  texts: FormTexts & { note: string };
  documents: Record<string, LegalDocument>;
}

/** A long form, with the progress of its sections beside it. */
export function ApplicationForm({ form, drawing, texts, documents }: Props) {
  return (
    <RegistrationForm
      form={form}
      texts={texts}
      documents={documents}
      aside={
        <>
          <SectionProgress form={form} drawing={drawing} />
          <p className="form-aside-note">{texts.note}</p>
        </>
      }
    />
  );
}
