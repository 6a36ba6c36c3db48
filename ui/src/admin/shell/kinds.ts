import type { Kind } from "../../lib/page";

/** A registration as the server gives it: its form's fields and what the server added. */
export interface Registration {
  id: number;
  createdAt: string;
  status: string;
  [field: string]: unknown;
}

/** The names of a kind on the organiser's pages. The fields of its form are in `src/forms/rules.json`. */
export interface KindWords {
  plural: string;
  /** In the menu and in tables. */
  short: string;
  /** Where the form is, for an empty list. */
  form: string;
  /** The key of its count in the summary. */
  summaryKey: string;
  /** The field that names a record, and two more that a list shows. */
  name: string;
  columns: readonly [string, string];
}

export const kindWords: Record<Kind, KindWords> = {
  "speaker-applications": {
    plural: "Speaker applications", short: "Speakers", form: "/apply-speaker",
    summaryKey: "speakerApplications", name: "name", columns: ["company", "expertise"],
  },
  "judge-applications": {
    plural: "Judge applications", short: "Judges", form: "/apply-judge",
    summaryKey: "judgeApplications", name: "name", columns: ["expertise", "availability"],
  },
  "sponsor-applications": {
    plural: "Sponsor applications", short: "Sponsors", form: "/apply-sponsor",
    summaryKey: "sponsorApplications", name: "company", columns: ["sponsorshipTier", "budgetRange"],
  },
  "professional-demo-registrations": {
    plural: "Professional demo registrations", short: "Demos", form: "/apply-professional-demo",
    summaryKey: "professionalDemoRegistrations", name: "name", columns: ["company", "businessType"],
  },
  "competition-entries": {
    plural: "Competition entries", short: "Entries", form: "/enter-competition",
    summaryKey: "competitionEntries", name: "name", columns: ["primaryCategory", "paymentAmount"],
  },
  "waitlist-signups": {
    plural: "Waitlist signups", short: "Waitlist", form: "/#waitlist",
    summaryKey: "waitlistSignups", name: "name", columns: ["wantToCompete", "categories"],
  },
  "sponsor-inquiries": {
    plural: "Sponsor inquiries", short: "Inquiries", form: "/sponsors",
    summaryKey: "sponsorInquiries", name: "company", columns: ["interest", "message"],
  },
};

export function listPath(kind?: Kind): string {
  return kind ? `/export-data/${kind}` : "/export-data";
}
