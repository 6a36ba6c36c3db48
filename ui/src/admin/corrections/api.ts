import type { Kind } from "../../lib/answer-types";
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

export const correctAnswers = (kind: Kind, { value: { id }, tag }: Versioned<Registration>, { answers, reason, mail }: Correction) => saveVersion(`/api/${kind}/${id}/fields`, tag, { method: "PATCH", body: { values: answers, reason, mail } });

export function previewCorrection(kind: Kind, id: number, values: Correction["answers"]): Promise<CorrectionPreview> {
  return requestJson(`/api/${kind}/${id}/fields/preview`, { method: "POST", body: { values } });
}
