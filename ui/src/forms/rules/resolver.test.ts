import { expect, it } from "vitest";
import { formOf } from "./form-table";
import { shownErrors } from "./values";

const form = formOf("competition-entries");
const first = "Please select your first additional category";

it("marks a category that is missing, and not the subcategory that nobody can choose yet", () => {
  const errors = { primaryCategory: "Please select your primary competition category", subCategory: "Please select a subcategory", additionalCategory1: first, additionalCategory1Sub: first };
  expect(shownErrors(form, {}, errors)).toEqual({ primaryCategory: errors.primaryCategory, additionalCategory1: first });
});

it("names the subcategory where its message is its category's", () => {
  expect(shownErrors(form, { additionalCategory1: "brows" }, { additionalCategory1Sub: first })).toEqual({ additionalCategory1Sub: `${first} and its subcategory` });
  expect(shownErrors(form, { primaryCategory: "brows" }, { subCategory: "Please select a subcategory" })).toEqual({ subCategory: "Please select a subcategory" });
});
