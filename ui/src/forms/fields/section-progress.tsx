import { useMemo } from "react";
import type { FormRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";
import { lashDrawing, type LashDrawing } from "../../brand/lash-drawing";
import { LashesLaid } from "../../brand/lashes-laid";
import { useProgress } from "./progress";

/** Shows which sections are complete, and draws a group of lashes for each answer. */
export function SectionProgress({ form, drawing: given }: { form: FormRule; drawing: LashDrawing }) {
  const { id } = useFormPlace();
  const { asked, answered } = useProgress(form);
  // The server's drawing has a group for each answer that is required at first.
  const drawing = useMemo(() => asked.length === given.groups.length ? given : lashDrawing(asked.length), [asked.length, given]);

  return (
    <nav className="form-progress" aria-label="Sections of this form">
      <LashesLaid drawing={drawing} laid={asked.map((field) => answered.has(field.name))} />
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
