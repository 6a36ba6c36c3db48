import type { FieldRule } from "../../forms/rules/form-rules";
import type { Kind } from "../../lib/answer-types";

/** A registration from the API: its form's fields and those that the server adds. */
export interface Registration {
  id: number;
  createdAt: string;
  status: string;
  [field: string]: unknown;
}

/** The labels of a kind on the organiser's pages. The fields of its form are in `src/forms/rules.json`. */
interface KindLabels {
  plural: string;
  /** "Speaker application"; with a number it names a record. */
  singular: string;
  /** The label of its tab and of its column in tables. */
  short: string;
  /** The page with the form. An empty list links to it. */
  form: string;
  /** The key of its count in the summary. */
  summaryKey: string;
  /** The field whose value is the title of a record. */
  name: string;
  /** The fields that a list shows beside the name. */
  columns: readonly string[];
}

export const kindLabels: Record<Kind, KindLabels> = {
  "speaker-applications": {
    plural: "Speaker applications", singular: "Speaker application", short: "Speakers", form: "/apply-speaker",
    summaryKey: "speakerApplications", name: "name", columns: ["company", "expertise"],
  },
  "judge-applications": {
    plural: "Judge applications", singular: "Judge application", short: "Judges", form: "/apply-judge",
    summaryKey: "judgeApplications", name: "name", columns: ["expertise", "availability"],
  },
  "sponsor-applications": {
    plural: "Sponsor applications", singular: "Sponsor application", short: "Sponsors", form: "/apply-sponsor",
    summaryKey: "sponsorApplications", name: "company", columns: ["sponsorshipTier", "budgetRange"],
  },
  "professional-demo-registrations": {
    plural: "Professional demo registrations", singular: "Professional demo registration", short: "Demos", form: "/apply-professional-demo",
    summaryKey: "professionalDemoRegistrations", name: "name", columns: ["company", "businessType"],
  },
  "competition-entries": {
    plural: "Competition entries", singular: "Competition entry", short: "Entries", form: "/enter-competition",
    summaryKey: "competitionEntries", name: "name", columns: ["primaryCategory", "paymentAmount", "paidAt"],
  },
  "waitlist-signups": {
    plural: "Waitlist signups", singular: "Waitlist signup", short: "Waitlist", form: "/#waitlist",
    summaryKey: "waitlistSignups", name: "name", columns: ["wantToCompete", "categories"],
  },
  "sponsor-inquiries": {
    plural: "Sponsor inquiries", singular: "Sponsor inquiry", short: "Inquiries", form: "/sponsors",
    summaryKey: "sponsorInquiries", name: "company", columns: ["interest", "message"],
  },
};

export function listPath(kind?: Kind): string {
  return kind ? `/export-data/${kind}` : "/export-data";
}

export function recordPath(kind: Kind, id: number): string {
  return `${listPath(kind)}?id=${id}`;
}

/** Who registered. */
export function nameOf(kind: Kind, record: Registration): string {
  return String(record[kindLabels[kind].name] ?? `Number ${record.id}`);
}

let left: { kind: Kind; id: number } | undefined;

/** Notes which record is open, so that its list can return to it. */
export function rememberOpenRecord(kind: Kind, id: number): void {
  left = { kind, id };
}

/** The record of this kind that was open last. The second call returns undefined. */
export function takeOpenRecord(kind: Kind): number | undefined {
  const id = left?.kind === kind ? left.id : undefined;
  left = undefined;
  return id;
}

/** What the organiser's pages know of a field. */
export type FieldLabels = Pick<FieldRule, "name" | "label" | "type" | "options" | "of" | "requiredFrom">;

export interface FormLabels {
  name: string;
  sections: { title: string; fields: FieldLabels[] }[];
  /** The subcategories of each category, for the fields that have an `of`. */
  subcategories?: Record<string, string[]>;
}
