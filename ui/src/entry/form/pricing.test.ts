import { describe, expect, it } from "vitest";
import vectors from "../../../../tests/vectors/pricing.json";
import { sampleInput } from "../../../test/sample-input";
import type { Pricing } from "../../lib/content-types";
import { percentage, quoteOf } from "./pricing";

const pricing = sampleInput.content.pricing;

describe("the shared vectors", () => {
  it.each(vectors.map((vector) => [`${vector.additionalCategories} more, "${vector.taxLocation}", ${vector.afterDeadline} on ${vector.today}`, vector] as const))("%s", (_, vector) => {
    const prices: Pricing = { ...pricing, afterDeadline: vector.afterDeadline as Pricing["afterDeadline"] };
    expect(quoteOf(prices, vector.fee, vector.additionalCategories, vector.taxLocation)).toEqual({
      amount: vector.total,
      additionalCategories: vector.additionalCategories,
      subtotal: vector.fee + vector.extras,
      taxRate: vector.taxRate,
      taxAmount: vector.taxAmount,
      total: vector.total,
      breakdown: { participantFee: vector.fee, additionalCategoriesTotal: vector.extras },
    });
  });

  it("cover every tax location of the content", () => {
    expect(pricing.taxLocations).toHaveLength(13);
    for (const { value } of pricing.taxLocations) expect(vectors.filter((vector) => vector.taxLocation === value).length, value).toBeGreaterThanOrEqual(3);
  });
});

describe("any price at any rate", () => {
  // A linear congruential generator: the same thousands of cases in every run.
  let state = 20260328n;
  const upTo = (most: number) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % (1n << 64n);
    return Number((state >> 33n) % BigInt(most + 1));
  };
  const cases = Array.from({ length: 5_000 }, () => ({ fee: 1 + upTo(9_999_999), more: upTo(10_000_000), rate: upTo(2_500), count: upTo(2) }));

  it("is taxed as by decimal arithmetic that rounds halves up", () => {
    let halves = 0;
    // Random cases seldom give exactly half a cent, so these are constructed to give it.
    const exactly = Array.from({ length: 200 }, () => ({ fee: 100 + 200 * upTo(50_000), more: 0, rate: 50 * (1 + 2 * upTo(20)), count: 0 }));
    for (const { fee, more, rate, count } of [...cases, ...exactly]) {
      const location = { value: "here", label: "Here", rateBasisPoints: rate };
      const quote = quoteOf({ ...pricing, additionalCategoriesCents: [more, more], taxLocations: [location] }, fee, count, "here");
      const subtotal = BigInt(fee) + (count === 0 ? 0n : BigInt(more));
      const { rounded, isHalf } = roundedHalfUp(decimalProduct(subtotal, BigInt(rate)));
      if (isHalf) halves += 1;
      expect(quote.taxAmount, `${rate} of ${subtotal}`).toBe(Number(rounded));
      expect(quote.subtotal).toBe(Number(subtotal));
      expect(quote.total).toBe(Number(subtotal + rounded));
      expect(quote.amount).toBe(quote.total);
    }
    expect(halves).toBeGreaterThan(100);
  });
});

/** Cents times hundredths of a percent, as a decimal number with four places. */
function decimalProduct(cents: bigint, basisPoints: bigint): string {
  const digits = (cents * basisPoints).toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** Rounds halves up by looking at the digits after the point. */
function roundedHalfUp(decimal: string): { rounded: bigint; isHalf: boolean } {
  const [whole = "0", places = ""] = decimal.split(".");
  return { rounded: BigInt(whole) + (places[0]! >= "5" ? 1n : 0n), isHalf: places === "5000" };
}

it.each([[0, "0.00%"], [530, "5.30%"], [625, "6.25%"], [800, "8.00%"], [1000, "10.00%"]])("writes a rate of %d as %s", (rate, text) => {
  expect(percentage(rate)).toBe(text);
});
