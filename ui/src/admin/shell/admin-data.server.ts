import type { FieldRule } from "../../forms/rules/form-rules";
import { formOf } from "../../forms/rules/form-table";
import type { Kind } from "../../lib/answer-types";
import { kinds, type Head, type PageInput } from "../../lib/page";
import type { Content } from "../../lib/content-types";
import { listPath, type FormLabels, type FieldLabels } from "./kinds";
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
  /** The section that is shown; null in a list and on the start page. */
  section: SectionName | null;
  /** The kind whose list is shown; null in a section and on the start page. */
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

/** The labels of a kind's form, with the options that are the event's content. They travel in the page's data: the rules of seven forms stay out of its script. */
export function formLabels(kind: Kind, content: Pick<Content, "categories" | "pricing">): FormLabels {
  const form = formOf(kind);
  const categories = content.categories.map(({ slug, label }) => ({ value: slug, label }));
  const taxLocations = content.pricing.taxLocations.map(({ value, label }) => ({ value, label }));
  const labels = ({ name, label, type, options, optionsFrom, of, requiredFrom }: FieldRule): FieldLabels => {
    if (name === "taxLocation") return { name, label, type, options: taxLocations };
    return { name, label, type, options: optionsFrom === "categories" ? categories : options, of, requiredFrom };
  };
  const sections = form.sections.map(({ title, fields }) => ({ title, fields: fields.map(labels) }));
  const hasSubcategories = sections.some(({ fields }) => fields.some((field) => field.of));
  const subcategories = hasSubcategories && { subcategories: Object.fromEntries(content.categories.map((category) => [category.slug, category.subcategories])) };
  return { name: form.name, sections, ...subcategories };
}
