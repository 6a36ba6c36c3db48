import type { FormRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";
import { LashesLaid } from "../../brand/lashes-laid";
import { useProgress } from "./progress";

/** Which sections are done, and how many answers there are: a group of lashes is laid for each. */
export function SectionProgress({ form }: { form: FormRule }) {
  const { id } = useFormPlace();
  const { asked, answered } = useProgress(form);
  return (
    <nav className="form-progress" aria-label="Sections of this form">
      <LashesLaid laid={asked.map((field) => answered.has(field.name))} />
      <p className="form-progress-count figures">
        {answered.size} of {asked.length} required answers
      </p>
      <ol>
        {form.sections.map((section, index) => {
          const required = section.fields.filter((field) => asked.includes(field));
          const done = required.length > 0 && required.every((field) => answered.has(field.name));
          return (
            <li key={section.title} data-done={done || undefined}>
              <a href={`#${id}-section-${index + 1}`}>{section.title}</a>
              {done && <span className="hidden-text"> (complete)</span>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
