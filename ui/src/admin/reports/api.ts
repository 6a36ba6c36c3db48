import useSWR from "swr";
import type { SchedulerStatus } from "../../lib/answer-types";
import { post, request } from "../../lib/request";
import type { Key } from "../../lib/swr-settings";

export type Cadence = "daily" | "weekly";

const schedulerKey: Key = ["/api", "scheduler", "status"];

/** In milliseconds. The status is read again this often. */
const pollEvery = 30_000;

export function useScheduler() {
  return useSWR<SchedulerStatus, unknown>(schedulerKey, { refreshInterval: pollEvery });
}

export async function switchScheduler(action: "start" | "stop"): Promise<void> {
  await post(`/api/scheduler/${action}`, undefined);
}

/** The result of sending a report: sent, or queued with the reason why the mail server has not accepted it yet. */
export type Outcome = { state: "sent" } | { state: "queued"; detail: string };

export function sendReport(cadence: Cadence): Promise<Outcome> {
  return send(`/api/export/send-${cadence}-report`);
}

export interface CustomExport {
  period: Cadence;
  includeCSV: boolean;
}

export function sendExport(choice: CustomExport): Promise<Outcome> {
  return send("/api/export/send-notification", choice);
}

/** The server waits for the mail server; after this many ms neither will answer. */
const timeout = 30_000;

async function send(path: string, body?: unknown): Promise<Outcome> {
  const response = await request(path, { method: "POST", body, signal: AbortSignal.timeout(timeout) });
  const { detail } = (await response.json()) as { detail?: string };
  return response.status === 202 ? { state: "queued", detail: detail ?? "It waits in the outbox." } : { state: "sent" };
}
