import { ApiError } from "../../lib/api-error";
import type { Kind } from "../../lib/page";
import { request } from "../../lib/request";
import type { Registration } from "../shell/kinds";

/** A record as it was read, and the tag that a save of it must name. */
export interface OpenedRecord {
  record: Registration;
  tag: string;
}

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

export async function openRecord(kind: Kind, id: number): Promise<OpenedRecord> {
  const answer = await request(`/api/${kind}/${id}`);
  return { record: await answer.json() as Registration, tag: answer.headers.get("etag") ?? "" };
}

export async function correctAnswers(kind: Kind, { record, tag }: OpenedRecord, values: Record<string, unknown>, reason: string, mail: boolean): Promise<void> {
  // No visitor's request has a condition, so `request` has no option for one that every visitor would download.
  const response = await fetch(`/api/${kind}/${record.id}/fields`, {
    method: "PATCH",
    headers: { "Content-Type": "application/json", "If-Match": tag },
    body: JSON.stringify({ values, reason, mail }),
    credentials: "include",
  });
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
}

export async function previewCorrection(kind: Kind, id: number, values: Record<string, unknown>): Promise<CorrectionPreview> {
  const answer = await request(`/api/${kind}/${id}/fields/preview`, { method: "POST", body: { values } });
  return await answer.json() as CorrectionPreview;
}

/** Whether somebody else has changed the record since it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export function errorsOf(error: unknown): Record<string, string> {
  return (error instanceof ApiError && error.problem.errors) || {};
}
