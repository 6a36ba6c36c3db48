import { kindLabels } from "./kinds";
import type { Kind } from "../../lib/answer-types";

/** The admin sections other than the registration lists. */
export const sections = {
  payments: "Payments",
  mailings: "Emails to groups",
  exports: "Exports and reports",
  nominations: "Nominations",
  judging: "Judging",
  door: "Door",
  lists: "Lists",
  site: "Website",
  forms: "Forms",
  "mail-texts": "Email texts",
  outbox: "Outbox",
  audit: "Audit log",
  backups: "Backups",
  access: "Who has access",
} as const;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as SectionName[];

/** A page of the menu: a registration list or a section. */
export type MenuPage = Kind | SectionName;

interface MenuEntry {
  label: string;
  /** The first is the page that the entry opens. More than one are tabs of each other. */
  pages: readonly MenuPage[];
}

const one = (section: SectionName): MenuEntry => ({ label: sections[section], pages: [section] });

/** The menu below "Overview". */
export const menu: readonly { heading: string; entries: readonly MenuEntry[] }[] = [
  {
    heading: "People", entries: [
      {
        label: "Registrations",
        pages: ["competition-entries", "speaker-applications", "judge-applications", "sponsor-applications", "professional-demo-registrations", "waitlist-signups", "sponsor-inquiries"],
      },
      one("payments"), one("mailings"), one("exports"),
    ],
  },
  { heading: "Championship", entries: [one("nominations"), one("judging")] },
  { heading: "Event days", entries: [one("door"), one("lists")] },
  { heading: "Site and settings", entries: [one("site"), one("forms"), one("mail-texts"), { label: "Settings and records", pages: ["outbox", "audit", "backups", "access"] }] },
];

/** The entry of the menu that leads to a page. */
export function menuEntry(page: MenuPage): MenuEntry | undefined {
  return menu.flatMap(({ entries }) => entries).find(({ pages }) => pages.includes(page));
}

export function isKind(page: MenuPage): page is Kind {
  return page in kindLabels;
}

export function sectionPath(page: MenuPage): string {
  return `/export-data/${page}`;
}

export function sectionTitle(page: MenuPage | null): string {
  if (page === null) return "Overview";
  return isKind(page) ? kindLabels[page].plural : sections[page];
}
