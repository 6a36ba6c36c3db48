import { useWatch } from "react-hook-form";
import type { Quote } from "../../lib/answer-types";
import type { Pricing } from "../../lib/content-types";
import type { Values } from "../../forms/rules/rules";
import type { EntryData } from "../entry-data.server";

/** The tax location for places that are not listed, and its rate if the table has no entry for it. */
const otherLocation = "other";
const unknownLocationBasisPoints = 800;

/** The same arithmetic as the server's (`src/payments/pricing.rs`), over the same data; the server decides. */
export function quoteOf(pricing: Pricing, participantFee: number, additionalCategories: number, taxLocation: string): Quote {
  const additionalCategoriesTotal = additionalCents(pricing, additionalCategories);
  const subtotal = participantFee + additionalCategoriesTotal;
  const taxRate = taxRateOf(pricing, taxLocation);
  const taxAmount = shareHalfUp(subtotal, taxRate);
  const total = subtotal + taxAmount;
  return { amount: total, additionalCategories, subtotal, taxRate, taxAmount, total, breakdown: { participantFee, additionalCategoriesTotal } };
}

/** A rate as people read it: 625 is "6.25%". */
export function percentage(basisPoints: number): string {
  return `${Math.trunc(basisPoints / 100)}.${(basisPoints % 100).toString().padStart(2, "0")}%`;
}

/** The price of additional categories. A number above the largest costs as much as the largest: the form's rules limit the number. */
function additionalCents({ additionalCategoriesCents }: Pricing, count: number): number {
  const sold = Math.min(count, additionalCategoriesCents.length);
  return sold > 0 ? additionalCategoriesCents[sold - 1] ?? 0 : 0;
}

function taxRateOf({ taxLocations }: Pricing, wanted: string): number {
  const rateOf = (value: string) => taxLocations.find((location) => location.value === value)?.rateBasisPoints;
  return rateOf(wanted) ?? rateOf(otherLocation) ?? unknownLocationBasisPoints;
}

/** A share of an amount, rounded to the nearest cent, halves up. Computed with whole numbers only. */
function shareHalfUp(cents: number, basisPoints: number): number {
  const shares = cents * basisPoints + 5_000;
  return (shares - (shares % 10_000)) / 10_000;
}

type Prices = Pick<EntryData, "categories" | "pricing" | "feeCents">;

/** What the entry costs, once the categories are chosen. */
export function quoteFor({ categories, pricing, feeCents }: Prices, values: Values): Quote | null {
  const category = categories.find(({ slug }) => slug === values.primaryCategory);
  if (!category?.subcategories.includes(String(values.subCategory))) return null;
  return quoteOf(pricing, feeCents, Number(values.additionalCategories ?? 0), String(values.taxLocation ?? ""));
}

/** Recomputes the quote when an answer that it depends on changes. */
export function useQuote(prices: Prices): Quote | null {
  const [primaryCategory, subCategory, additionalCategories, taxLocation] = useWatch({
    name: ["primaryCategory", "subCategory", "additionalCategories", "taxLocation"],
  }) as unknown[];
  return quoteFor(prices, { primaryCategory, subCategory, additionalCategories, taxLocation });
}
