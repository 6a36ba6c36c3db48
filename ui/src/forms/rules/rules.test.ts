import { describe, expect, it } from "vitest";
import vectors from "../../../../tests/vectors/rules.json";
import { formOf } from "./form-table";
import { check, type Offered, type Values } from "./rules";
import type { Kind } from "../../lib/answer-types";

const offered: Offered = {
  categories: [
    { value: "lash-lift", subcategories: ["Standard Lash Lift"] },
    { value: "brows", subcategories: ["Lamination", "Creative"] },
  ],
};

const entry = {
  name: "Eve Example", email: "eve@example.com", phone: "201-555-0104", businessName: "Eve's", location: "Jersey City",
  primaryCategory: "brows", subCategory: "Creative", agreementTerms: true, agreementMedia: true,
};

describe("the shared vectors", () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))("%s", (_, vector) => {
    const checked = check(formOf(vector.kind as Kind), vector.input as Values);
    expect(checked.ok ? {} : checked.errors).toEqual(vector.errors);
    if (checked.ok && "stored" in vector) expect(checked.values).toMatchObject(vector.stored as Values);
  });
});

describe("an entry's categories", () => {
  const errorsOf = (change: Values) => {
    const checked = check(formOf("competition-entries"), { ...entry, ...change }, offered);
    return checked.ok ? {} : checked.errors;
  };

  it("takes what the event offers", () => {
    expect(errorsOf({})).toEqual({});
  });

  it("refuses a subcategory of another category", () => {
    expect(errorsOf({ subCategory: "Standard Lash Lift" })).toEqual({ subCategory: "Please select a subcategory" });
  });

  it("asks for an additional category's subcategory too", () => {
    expect(errorsOf({ additionalCategories: 1, additionalCategory1: "lash-lift" })).toEqual({
      additionalCategory1Sub: "Please select your first additional category",
    });
  });

  it("fills in the defaults", () => {
    const checked = check(formOf("competition-entries"), entry, offered);
    expect(checked).toMatchObject({ ok: true, values: { taxLocation: "new-york", additionalCategories: 0, portfolio: null } });
  });
});
