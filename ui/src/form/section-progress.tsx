import { fan, ribbonPath, strokePath, type Curve } from "../parts/stroke";
import type { FormRule } from "./form-rules";
import { useFormPlace } from "./form-place";
import { useProgress, type Progress } from "./progress";

const lid: Curve = [{ x: 12, y: 12 }, { x: 120, y: 62 }, { x: 228, y: 12 }];
const lidPath = ribbonPath(lid, 2.6);

/** Which sections are done, and how many answers there are: one lash is laid for each. */
export function SectionProgress({ form }: { form: FormRule }) {
  const { id } = useFormPlace();
  const progress = useProgress(form);
  return (
    <nav className="form-progress" aria-label="Sections of this form">
      <LashesLaid progress={progress} />
      <p className="form-progress-count figures">
        {progress.answered.size} of {progress.asked.length} required answers
      </p>
      <ol>
        {form.sections.map((section, index) => {
          const asked = section.fields.filter((field) => progress.asked.includes(field));
          const done = asked.length > 0 && asked.every((field) => progress.answered.has(field.name));
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

function LashesLaid({ progress: { asked, answered } }: { progress: Progress }) {
  const lashes = fan(lid, { count: asked.length, seed: 7, length: 64, width: 4.4, spread: 20, falloff: 0.4, from: 0.03, to: 0.97, jitter: 0.5 });
  return (
    <svg className="lashes-laid" viewBox="0 0 240 108" aria-hidden="true" focusable="false">
      {asked.map((field, index) => {
        const lash = lashes[index];
        return lash && <path key={field.name} d={strokePath([lash])} data-laid={answered.has(field.name) || undefined} />;
      })}
      <path className="lid" d={lidPath} />
    </svg>
  );
}
