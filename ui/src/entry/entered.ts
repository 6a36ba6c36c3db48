import type { PaymentStatus } from "./api";
import { categoryPairs } from "./form/entry-categories";
import type { Values } from "../forms/rules/rules";
import type { EntryData } from "./entry-data.server";

type Offer = Pick<EntryData, "categories" | "cards">;

/** A category as its card calls it, such as "Brows - Lamination". */
export function categoryLabel({ categories, cards }: Offer, category: string, sub: string): string {
  const card = cards.find((candidate) => candidate.category === category && candidate.subcategory === sub);
  return card?.label ?? `${categories.find(({ slug }) => slug === category)?.label ?? category} - ${sub}`;
}

/** What the form enters, as labels. */
export function enteredLabels(offer: Offer, values: Values): string[] {
  const pairs = categoryPairs.map(({ category, sub }) => [values[category], values[sub]]);
  return pairs.filter(([category, sub]) => category && sub).map(([category, sub]) => categoryLabel(offer, String(category), String(sub)));
}

/** What the server keeps for a payment, as labels. */
export function labelsOfStatus(offer: Offer, { categories }: Pick<PaymentStatus, "categories">): string[] {
  return categories.map(({ category, subCategory }) => categoryLabel(offer, category, subCategory));
}

/** What the last step says of an entry that is paid. */
export interface PaidEntry {
  cents: number;
  /** Nothing where the entry is not known any more. */
  id: number | null;
  email: string | null;
  categories: string[];
}

export function paidOf(offer: Offer, status: PaymentStatus): PaidEntry {
  return { cents: status.paymentAmount, id: status.entryId, email: status.email, categories: labelsOfStatus(offer, status) };
}
