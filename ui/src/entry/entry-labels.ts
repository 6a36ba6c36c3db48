import type { Values } from "../forms/rules/rules";
import type { PaymentStatus } from "./api";
import type { EntryData } from "./entry-data.server";
import { categoryPairs } from "./form/entry-categories";

type Offer = Pick<EntryData, "categories" | "cards">;

/** The label of a category and its subcategory, such as "Brows - Lamination". */
export function categoryLabel({ categories, cards }: Offer, category: string, sub: string): string {
  const card = cards.find((candidate) => candidate.category === category && candidate.subcategory === sub);
  return card?.label ?? `${categories.find(({ slug }) => slug === category)?.label ?? category} - ${sub}`;
}

/** The labels of the categories that are chosen in the form. */
export function enteredLabels(offer: Offer, values: Values): string[] {
  const pairs = categoryPairs.map(({ category, sub }) => [values[category], values[sub]]);
  return pairs.filter(([category, sub]) => category && sub).map(([category, sub]) => categoryLabel(offer, String(category), String(sub)));
}

/** The labels of the categories that the server has stored for a payment. */
export function labelsOfStatus(offer: Offer, { categories }: Pick<PaymentStatus, "categories">): string[] {
  return categories.map(({ category, subCategory }) => categoryLabel(offer, category, subCategory));
}

/** The facts about a paid entry that the last step shows. */
export interface PaidEntry {
  cents: number;
  /** Undefined if the entry is no longer known. */
  id: number | null;
  email: string | null;
  categories: string[];
}

export function paidEntryOf(offer: Offer, status: PaymentStatus): PaidEntry {
  return { cents: status.paymentAmount, id: status.entryId, email: status.email, categories: labelsOfStatus(offer, status) };
}
