import type { Kind } from "../../lib/page";
import { kindLabels } from "./kinds";

/** The admin sections other than the registration lists. */
export const sections = {
  site: "Website",
  nominations: "Nominations",
  judging: "Judging",
  door: "Door",
  forms: "Forms",
  lists: "Lists",
  payments: "Payments",
  mailings: "Emails to groups",
  "mail-texts": "Email texts",
  outbox: "Outbox",
  audit: "Audit log",
  backups: "Backups",
  access: "Who has access",
} as const;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as SectionName[];

export function sectionPath(section: SectionName): string {
  return `/export-data/${section}`;
}

export function sectionTitle(kind: Kind | null, section: SectionName | null): string {
  if (section) return sections[section];
  return kind ? kindLabels[kind].plural : "Registrations";
}
