import type { Category, CompetitionCard } from "../../lib/content-types";

/** The part of an entry that says what is entered. */
export interface EntryCategories {
  primaryCategory: string;
  subCategory: string;
  additionalCategories: number;
  additionalCategory1: string;
  additionalCategory1Sub: string;
  additionalCategory2: string;
  additionalCategory2Sub: string;
}

export type CategoryName = "primaryCategory" | "additionalCategory1" | "additionalCategory2";
export type SubcategoryName = "subCategory" | "additionalCategory1Sub" | "additionalCategory2Sub";

/** Each category with its own subcategory, in the order in which they exclude one another. */
export const categoryPairs: readonly { category: CategoryName; sub: SubcategoryName }[] = [
  { category: "primaryCategory", sub: "subCategory" },
  { category: "additionalCategory1", sub: "additionalCategory1Sub" },
  { category: "additionalCategory2", sub: "additionalCategory2Sub" },
];

/** The answers that `?category=` fills in. */
export const linkedNames: readonly string[] = Object.values(categoryPairs[0]!);

export const noCategories: EntryCategories = {
  primaryCategory: "", subCategory: "", additionalCategories: 0,
  additionalCategory1: "", additionalCategory1Sub: "", additionalCategory2: "", additionalCategory2Sub: "",
};

/** The options that are left for a pair: those that no earlier pair has chosen. */
export function choicesFor(name: CategoryName, values: EntryCategories, categories: Category[]): Category[] {
  const earlier = categoryPairs.slice(0, indexOf(name)).map((pair) => values[pair.category]);
  return categories.filter(({ slug }) => !earlier.includes(slug));
}

/** The entry after a category was chosen. Its subcategory is cleared, and so is a later pair with the same category. */
export function withCategory(values: EntryCategories, name: CategoryName, category: string): EntryCategories {
  if (values[name] === category) return values;
  const index = indexOf(name);
  const cleared = categoryPairs.slice(index + 1).filter((pair) => category !== "" && values[pair.category] === category);
  return withoutPairs({ ...values, [name]: category, [categoryPairs[index]!.sub]: "" }, cleared);
}

/** The entry after another number of additional categories was chosen: those beyond it are cleared. */
export function withCount(values: EntryCategories, count: number): EntryCategories {
  return withoutPairs({ ...values, additionalCategories: count }, categoryPairs.slice(count + 1));
}

/** The entry after `?category=` named one of the competition's categories by its label; another label changes nothing. */
export function withLabel(values: EntryCategories, label: string, cards: Pick<CompetitionCard, "label" | "category" | "subcategory">[]): EntryCategories {
  const card = cards.find((candidate) => candidate.label.toLowerCase() === label.trim().toLowerCase());
  return card ? { ...withCategory(values, "primaryCategory", card.category), subCategory: card.subcategory } : values;
}

function withoutPairs(values: EntryCategories, pairs: typeof categoryPairs): EntryCategories {
  return { ...values, ...Object.fromEntries(pairs.flatMap(({ category, sub }) => [[category, ""], [sub, ""]])) };
}

function indexOf(name: CategoryName): number {
  return categoryPairs.findIndex((pair) => pair.category === name);
}
