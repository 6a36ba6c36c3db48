import { useWatch } from "react-hook-form";
import { quoteOf, type Quote } from "./pricing";
import type { Values } from "../../forms/rules/rules";
import type { EntryData } from "../entry-data.server";

export type Prices = Pick<EntryData, "categories" | "pricing" | "feeCents">;

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
