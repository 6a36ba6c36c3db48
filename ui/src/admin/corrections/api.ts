import type { Kind } from "../../lib/answer-types";
import { ApiError } from "../../lib/api-error";
import { request, requestJson } from "../../lib/request";
import type { Registration } from "../shell/kinds";
import { saveVersion, versioned, type Versioned } from "../shell/versioned";
import type { Correction } from "./correct-answers";

export interface AnswerChange {
  field: string;
  label: string;
  from: string;
  to: string;
}

export interface CorrectionPreview {
  changes: AnswerChange[];
  mail: { recipient: string; subject: string; text: string } | null;
}

export async function openRecord(kind: Kind, id: number): Promise<Versioned<Registration>> {
  return versioned(await request(`/api/${kind}/${id}`));
}

export async function correctAnswers(kind: Kind, { value: { id }, tag }: Versioned<Registration>, { answers, reason, mail }: Correction): Promise<void> {
  await saveVersion(`/api/${kind}/${id}/fields`, tag, { method: "PATCH", body: { values: answers, reason, mail } });
}

export function previewCorrection(kind: Kind, id: number, values: Correction["answers"]): Promise<CorrectionPreview> {
  return requestJson(`/api/${kind}/${id}/fields/preview`, { method: "POST", body: { values } });
}

export function errorsOf(error: unknown): Record<string, string> {
  return (error instanceof ApiError && error.problem.errors) || {};
}
