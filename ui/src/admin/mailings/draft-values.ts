import { maxLength, nonEmpty, object, pipe, string, trim, type InferOutput } from "valibot";
import type { Draft, Group, Mailing, Notice } from "./api";

const longestSubject = 200;

export const draftSchema = object({
  group: object({ kind: string(), status: string(), paymentStatus: string(), category: string(), invitation: string(), attendance: string() }),
  subject: pipe(string(), trim(), nonEmpty("Please enter a subject"), maxLength(longestSubject, `Please use at most ${longestSubject} characters.`)),
  text: pipe(string(), nonEmpty("Please enter a text")),
  notice: string(),
});

/** A draft as the form holds it. The empty text is no condition; several values of a condition are one text with commas. */
export type DraftValues = InferOutput<typeof draftSchema>;

export function draftOf({ group, subject, text, notice }: DraftValues): Draft {
  return { group: groupOf(group), subject, text, notice: notice as Notice | "" };
}

/**
 * Everybody with a place: a partial refund or a dispute leaves the entry in, and a complimentary entry was never paid for. The
 * server leaves out entries that were withdrawn or declined.
 */
export const takingPart = "paid,partially_refunded,disputed,complimentary";

export const newDraft: DraftValues = {
  group: { kind: "competition-entries", status: "", paymentStatus: takingPart, category: "", invitation: "", attendance: "" },
  subject: "", text: "", notice: "",
};

export function valuesOf({ group, subject, text, notice }: Mailing): DraftValues {
  const one = (name: keyof Group) => [group[name] ?? ""].flat().join();
  return { group: { kind: one("kind"), status: one("status"), paymentStatus: one("paymentStatus"), category: one("category"), invitation: one("invitation"), attendance: one("attendance") }, subject, text, notice: notice ?? "" };
}

export function groupOf(group: DraftValues["group"]): Group {
  const conditions = Object.entries(group).filter(([, value]) => value !== "");
  return Object.fromEntries(conditions.map(([name, value]) => [name, value.includes(",") ? value.split(",") : value])) as unknown as Group;
}
