import { boolean, custom, object, pipe, record, string, trim, type InferOutput } from "valibot";

/** The answer to one field. `null`: not answered. */
export type Answer = string | number | boolean | string[] | null;

/** The answers that are corrected, by field. The server checks them by the form's rules, together with the reason. */
export const correctionSchema = object({ answers: record(string(), custom<Answer>(isAnswer)), reason: pipe(string(), trim()), mail: boolean() });

export type Correction = InferOutput<typeof correctionSchema>;

/** An answer as it is stored. */
export function answerOf(stored: unknown): Answer {
  return isAnswer(stored) ? stored : null;
}

function isAnswer(value: unknown): value is Answer {
  return value === null || ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);
}
