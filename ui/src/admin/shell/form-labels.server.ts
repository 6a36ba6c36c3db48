import file from "../../../../src/forms/rules.json";
import type { Content } from "../../lib/content-types";
import type { Kind } from "../../lib/page";
import type { FieldLabels, FormLabels } from "./form-labels";

type FieldRule = FieldLabels & { optionsFrom?: string };

const forms = file.forms as { kind: string; name: string; sections: { title: string; fields: FieldRule[] }[] }[];

/** The labels of a kind's form, with the options that are the event's content. They travel in the page's data: the rules of seven forms stay out of its script. */
export function formLabels(kind: Kind, content: Pick<Content, "categories" | "pricing">): FormLabels {
  const form = forms.find((candidate) => candidate.kind === kind);
  if (!form) throw new Error(`rules.json has no form for ${kind}`);
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
