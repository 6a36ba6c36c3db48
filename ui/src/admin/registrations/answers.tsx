import type { FormLabels } from "../shell/form-labels";
import type { Registration } from "../shell/kinds";
import { textOf, valueOf } from "../shell/values";
import { isAsked } from "./is-asked";

/** The answers by the form's sections and labels. What was left out is named in one line of its section. */
export function Answers({ form, record }: { form: FormLabels; record: Registration }) {
  return (
    <div className="record-answers">
      {form.sections.map(({ title, fields }) => {
        const asked = fields.filter((field) => isAsked(field, record));
        const answered = asked.filter((field) => textOf(field, record[field.name]) !== undefined);
        const missing = asked.filter((field) => !answered.includes(field)).map(({ label }) => label);
        return (
          <section key={title} className="record-section">
            <h2>{title}</h2>
            <dl>
              {answered.map((field) => (
                <div key={field.name} className={field.type === "longText" ? "is-long" : undefined}>
                  <dt>{field.label}</dt>
                  <dd>{valueOf(field, record)}</dd>
                </div>
              ))}
            </dl>
            {missing.length > 0 && <p className="soft">Not answered: {missing.join(", ")}</p>}
          </section>
        );
      })}
    </div>
  );
}
