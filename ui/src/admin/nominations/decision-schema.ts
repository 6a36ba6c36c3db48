import { boolean, check, forward, nonEmpty, object, pipe, record, string, trim } from "valibot";
import type { Decision, Slot } from "./api";

export type Task = "return" | "extend" | "forfeit" | "disqualify" | "withdraw" | "reinstate";

/** What an organiser types for any of the tasks. */
export interface Answers {
  /** The keys of the chosen slots, separated by spaces. */
  slots: string;
  /** A day as "2026-03-05", or "". */
  until: string;
  reason: string;
  /** A reason for each slot, by its key. */
  reasons: Record<string, string>;
}

export function schemaOf(task: Task) {
  const required = (message: string) => pipe(string(), trim(), nonEmpty(message));
  return object({
    slots: task === "return" ? required("Please choose at least one photo") : string(),
    until: task === "extend" ? required("Please choose a day") : string(),
    // The photos of a return have reasons of their own; the server refuses one without any.
    reason: task === "return" ? pipe(string(), trim()) : required("Please give a reason"),
    reasons: record(string(), string()),
  });
}

const name = pipe(string(), trim());

export const paperSchema = pipe(
  object({ name: pipe(name, nonEmpty("Please enter the model's name")), adult: boolean(), guardian: name }),
  forward(check(({ adult, guardian }) => adult || guardian !== "", "Please enter the name of the parent or guardian"), ["guardian"]),
);

/** Each chosen slot with a reason of its own gets a line, which the portal shows beside its photo. */
export function decisionOf(task: Task, chosen: Pick<Slot, "key" | "label">[], { reason, reasons, until }: Answers, endOfDay: (day: string) => string): Decision {
  if (task === "extend") return { action: task, until: endOfDay(until), reason };
  if (task !== "return") return { action: task, reason };
  const own = chosen.filter(({ key }) => reasons[key]?.trim()).map(({ key, label }) => `${label}: ${reasons[key]!.trim().replace(/\s+/g, " ")}`);
  const lines = [...(reason ? [reason] : []), ...own];
  return { action: task, slots: chosen.map(({ key }) => key), reason: lines.join("\n"), ...(until && { until: endOfDay(until) }) };
}
