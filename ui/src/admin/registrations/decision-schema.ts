import { maxLength, object, pipe, string, trim, type InferOutput } from "valibot";

/** The maximum lengths of texts that the server accepts, in characters. */
export const longestNote = 10_000;
export const longestLine = 1000;

export const decisionSchema = object({
  status: string(),
  note: pipe(string(), trim(), maxLength(longestNote, `Please use at most ${longestNote} characters.`)),
  line: pipe(string(), trim(), maxLength(longestLine, `Please use at most ${longestLine} characters.`)),
});

export type DecisionValues = InferOutput<typeof decisionSchema>;
