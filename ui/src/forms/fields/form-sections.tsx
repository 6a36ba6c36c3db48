import type { ReactNode } from "react";
import { FormField } from "./form-field";
import type { FormRule, SectionRule } from "../rules/form-rules";

interface Props {
  form: FormRule;
  /** Overrides how a section is rendered; undefined renders its fields in order. */
  fieldsOf?: (section: SectionRule) => ReactNode;
}

/** The sections of a form, numbered when there are several. */
export function FormSections({ form, fieldsOf = () => undefined }: Props) {
  const asksRequired = form.sections.some((section) => section.fields.some((field) => field.required));
  const alone = form.sections.length === 1;
  return (
    <>
      {asksRequired && !alone && <p className="field-hint">Answers marked <span className="required-mark">*</span> are required.</p>}
      {form.sections.map((section, index) => (
        <section key={section.title} className="form-section" id={`${form.kind}-section-${index + 1}`}>
          {!alone && (
            <h2 className="form-section-title">
              <span className="form-section-number figures" aria-hidden="true">{index + 1}</span>
              {section.title}
            </h2>
          )}
          {fieldsOf(section) ?? section.fields.map((field) => <FormField key={field.name} field={field} />)}
        </section>
      ))}
    </>
  );
}
