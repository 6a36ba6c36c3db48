import { kinds, type Head, type Kind, type PageInput } from "../../lib/page";
import type { FormLabels } from "./form-labels";
import { formLabels } from "./form-labels.server";
import { listPath } from "./kinds";
import { sectionTitle, sectionNames, sectionPath, type SectionName } from "./sections";

/** The data that the organiser's pages have before their first request. */
export interface AdminData {
  event: string;
  /** The start of a file's name when the server gives none. */
  fileName: string;
  timeZone: string;
  timeZoneLabel: string;
  /** The labels of the categories in the entry form. */
  categoryNames: Record<string, string>;
  /** What each nomination is called, by "category/subcategory". */
  nominationNames: Record<string, string>;
  /** The section beside the lists that is shown; null elsewhere. */
  section: SectionName | null;
  /** The kind whose list is shown; null on the start page. */
  kind: Kind | null;
  form: FormLabels | null;
}

export function adminData({ content }: PageInput, path: string): AdminData {
  const { event } = content;
  const kind = kinds.find((candidate) => listPath(candidate) === path) ?? null;
  return {
    event: event.name,
    fileName: event.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, ""),
    timeZone: event.timeZone,
    timeZoneLabel: event.timeZoneLabel,
    categoryNames: Object.fromEntries(content.categories.map(({ slug, label }) => [slug, label])),
    nominationNames: Object.fromEntries(content.competition.cards.map(({ category, subcategory, label }) => [`${category}/${subcategory}`, label])),
    section: sectionNames.find((candidate) => sectionPath(candidate) === path) ?? null,
    kind,
    form: kind && formLabels(kind, content),
  };
}

export function adminHead({ event, kind, section: name }: AdminData): Head {
  const section = sectionTitle(kind ?? name);
  return { title: `${section} - ${event}`, description: `${section}: the organiser's pages of ${event}.`, noIndex: true };
}
