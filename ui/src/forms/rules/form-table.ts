import { forms } from "../../../../src/forms/rules.json";
import type { FormRule } from "./form-rules";
import type { Kind } from "../../lib/answer-types";

/** The rules of one form. The server passes them to the page, so that browsers do not load the rules of every form. */
export function formOf(kind: Kind): FormRule {
  const form = (forms as unknown as FormRule[]).find((candidate) => candidate.kind === kind);
  if (!form) throw new Error(`rules.json has no form for ${kind}`);
  return form;
}
