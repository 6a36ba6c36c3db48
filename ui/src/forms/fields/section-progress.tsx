import { useMemo, useEffect, useState } from "react";
import { useFormContext } from "react-hook-form";
import { lashDrawing, LashesLaid, type LashDrawing } from "../../brand/lashes";
import { fieldsOf, type FormRule, type FieldRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";
import { check, type Offered, type Values } from "../rules/rules";
import { completedValues } from "../rules/values";

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

const pause = 250;

interface Progress {
  /** Names of the required fields whose answers are right. */
  answered: ReadonlySet<string>;
  /** Every field that must be answered, in the order of the form. */
  asked: FieldRule[];
}

export function progressOf(form: FormRule, values: Values, offered?: Offered): Progress {
  const asked = askedFields(form, values);
  const checked = check(form, completedValues(form, values), offered);
  const wrong = checked.ok ? {} : checked.errors;
  return { asked, answered: new Set(asked.filter((field) => !(field.name in wrong)).map((field) => field.name)) };
}

/** Every field that must be answered, in the order of the form. */
export function askedFields(form: FormRule, values: Values): FieldRule[] {
  return fieldsOf(form).filter((field) => isAsked(field, values));
}

/** Whether a field must be answered, given the other answers. */
function isAsked({ required, requiredFrom, default: given }: FieldRule, values: Values): boolean {
  if (requiredFrom) return Number(values[requiredFrom.field] ?? 0) >= requiredFrom.atLeast;
  return required === true && given === undefined;
}

/** The form's progress. It is computed after a short pause, so that typing never waits for it. */
function useProgress(form: FormRule): Progress {
  const { subscribe, getValues } = useFormContext();
  const { offered } = useFormPlace();
  const [progress, setProgress] = useState(() => progressOf(form, {}));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setProgress(progressOf(form, getValues(), offered)), pause);
    };
    follow();
    const unsubscribe = subscribe({ formState: { values: true }, callback: follow });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [form, offered, getValues, subscribe]);
  return progress;
}
