import { array, boolean, fallback, nullable, number, object, parse, pipe, record, string, trim, union, type InferOutput } from "valibot";

const answer = nullable(union([string(), number(), boolean(), array(string())]));

/** The answer to one field. `null`: not answered. */
export type Answer = InferOutput<typeof answer>;

/** The answers that are corrected, by field. The server checks them by the form's rules, together with the reason. */
export const correctionSchema = object({ answers: record(string(), answer), reason: pipe(string(), trim()), mail: boolean() });

export type Correction = InferOutput<typeof correctionSchema>;

/** An answer as it is stored. */
export function answerOf(stored: unknown): Answer {
  return parse(fallback(answer, null), stored);
}
