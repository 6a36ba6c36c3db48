import type { Option } from "../../kit/select";
import { choice, tablesOf, textOf, type ChoiceField, type Table } from "./field-types";

/** Every profile with a key, by which a line of the schedule names its speaker. */
export function speakers(content: Table): Option[] {
  const profiles = tablesOf((content.people as Table | undefined)?.groups).flatMap((one) => tablesOf(one.profiles));
  return [{ value: "", label: "Nobody" }, ...profiles.filter((profile) => textOf(profile.key)).map((profile) => ({ value: textOf(profile.key), label: textOf(profile.name) }))];
}

/** "lash-extensions" as "Lash extensions". */
export const categoryText = (slug: string) => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll("-", " ");

export const categoriesOf = (content: Table): Option[] => tablesOf(content.categories).map((category) => ({ value: textOf(category.slug), label: textOf(category.label) }));

export function subcategoriesOf(content: Table, category: string): Option[] {
  const found = tablesOf(content.categories).find((one) => one.slug === category)?.subcategories;
  return (Array.isArray(found) ? found : []).map((name) => ({ value: textOf(name), label: textOf(name) }));
}

export const awards = (content: Table): Option[] => {
  const names = ((content.schedule as Table | undefined)?.awards as Table | undefined)?.names;
  return [{ value: "", label: "None" }, ...(Array.isArray(names) ? names : []).map((name) => ({ value: textOf(name), label: textOf(name) }))];
};

/** A subcategory of the category that is chosen beside it; with `any`, also all of them. */
export const subcategory = (name: string, any: boolean): ChoiceField => choice(name, "Subcategory", (content, of) => [...(any ? [{ value: "", label: "All of them" }] : []), ...subcategoriesOf(content, textOf(of.category))]);
