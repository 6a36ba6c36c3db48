import { useEffect, useState } from "react";
import { useFormContext } from "react-hook-form";
import { fieldsOf, type FieldRule, type FormRule } from "../rules/form-rules";
import { useFormPlace } from "../form-place";
import { check, type Offered, type Values } from "../rules/rules";
import { completedValues } from "../rules/values";

const pause = 250;

export interface Progress {
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
export function useProgress(form: FormRule): Progress {
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
