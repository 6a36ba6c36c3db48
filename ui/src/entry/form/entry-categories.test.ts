import { describe, expect, it } from "vitest";
import { sampleInput } from "../../../test/sample-input";
import { choicesFor, noCategories, withCategory, withCount, withLabel, type EntryCategories } from "./entry-categories";

const { categories, competition: { cards } } = sampleInput.content;

const full: EntryCategories = {
  primaryCategory: "brows", subCategory: "Lamination", additionalCategories: 2,
  additionalCategory1: "makeup", additionalCategory1Sub: "Natural Glam",
  additionalCategory2: "lash-lift", additionalCategory2Sub: "Standard Lash Lift",
};
const slugs = (name: Parameters<typeof choicesFor>[0], values: EntryCategories) => choicesFor(name, values, categories).map(({ slug }) => slug);

describe("the categories offered", () => {
  it("are all for the primary category", () => {
    expect(slugs("primaryCategory", full)).toEqual(["lash-extensions", "brows", "lash-lift", "makeup"]);
  });

  it("exclude the primary one for the first additional category", () => {
    expect(slugs("additionalCategory1", full)).toEqual(["lash-extensions", "lash-lift", "makeup"]);
  });

  it("exclude the primary and the first additional one for the second additional category", () => {
    expect(slugs("additionalCategory2", full)).toEqual(["lash-extensions", "lash-lift"]);
  });

  it("are all while none is chosen", () => {
    expect(slugs("additionalCategory2", noCategories)).toHaveLength(4);
  });
});

describe("choosing a category", () => {
  it("clears its own subcategory and nothing else", () => {
    expect(withCategory(full, "primaryCategory", "lash-extensions")).toEqual({ ...full, primaryCategory: "lash-extensions", subCategory: "" });
    expect(withCategory(full, "additionalCategory1", "lash-extensions")).toEqual({ ...full, additionalCategory1: "lash-extensions", additionalCategory1Sub: "" });
    expect(withCategory(full, "additionalCategory2", "lash-extensions")).toEqual({ ...full, additionalCategory2: "lash-extensions", additionalCategory2Sub: "" });
  });

  it("clears an additional category that equals the new primary one", () => {
    expect(withCategory(full, "primaryCategory", "makeup")).toEqual({
      ...full, primaryCategory: "makeup", subCategory: "", additionalCategory1: "", additionalCategory1Sub: "",
    });
    expect(withCategory(full, "primaryCategory", "lash-lift")).toEqual({
      ...full, primaryCategory: "lash-lift", subCategory: "", additionalCategory2: "", additionalCategory2Sub: "",
    });
  });

  it("clears the second additional category when the first becomes the same", () => {
    expect(withCategory(full, "additionalCategory1", "lash-lift")).toEqual({
      ...full, additionalCategory1: "lash-lift", additionalCategory1Sub: "", additionalCategory2: "", additionalCategory2Sub: "",
    });
  });

  it("that is chosen already changes nothing", () => {
    expect(withCategory(full, "primaryCategory", "brows")).toBe(full);
  });

  it("of none clears only its own subcategory", () => {
    const empty = { ...full, additionalCategory2: "", additionalCategory2Sub: "" };
    expect(withCategory(empty, "primaryCategory", "")).toEqual({ ...empty, primaryCategory: "", subCategory: "" });
  });
});

describe("the number of additional categories", () => {
  it.each([
    [2, full],
    [1, { ...full, additionalCategories: 1, additionalCategory2: "", additionalCategory2Sub: "" }],
    [0, { ...full, additionalCategories: 0, additionalCategory1: "", additionalCategory1Sub: "", additionalCategory2: "", additionalCategory2Sub: "" }],
  ])("of %d", (count, expected) => {
    expect(withCount(full, count)).toEqual(expected);
  });
});

describe("?category=", () => {
  it.each(cards.map((card) => [card.label, card] as const))("%s", (label, card) => {
    expect(withLabel(noCategories, label, cards)).toEqual({ ...noCategories, primaryCategory: card.category, subCategory: card.subcategory });
    const offered = categories.find(({ slug }) => slug === card.category);
    expect(offered?.subcategories).toContain(card.subcategory);
  });

  it("has eight cards to choose from", () => {
    expect(cards).toHaveLength(8);
  });

  it.each(["", "Lash", "Brows", "Nails - Gel", "Lash Extensions - Volume - Creative", "__proto__"])("ignores %j", (label) => {
    expect(withLabel(full, label, cards)).toBe(full);
  });

  it("clears the same category where a draft has it as an additional one", () => {
    expect(withLabel(full, "makeup - natural glam ", cards)).toEqual({
      ...full, primaryCategory: "makeup", subCategory: "Natural Glam", additionalCategory1: "", additionalCategory1Sub: "",
    });
  });
});
