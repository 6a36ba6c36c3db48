import { describe, expect, it } from "vitest";
import { ApiError } from "../../lib/api-error";
import { formOf } from "./form-table";
import { lengthWords } from "../fields/text-field";
import { failureOf } from "../submit/use-submission";
import { progressOf } from "../fields/section-progress";
import { completedValues, draftValues, shownErrors } from "./values";

const speaker = formOf("speaker-applications");
const waitlist = formOf("waitlist-signups");

it("completes web addresses and drops what the form doesn't know", () => {
  const values = completedValues(speaker, { portfolio: "example.com/ana", instagram: "@ana", referralNote: "x" });
  expect(values).toMatchObject({ portfolio: "https://example.com/ana", instagram: "@ana" });
  expect(values).not.toHaveProperty("referralNote");
});

it("sends an untouched group of checkboxes as an empty list", () => {
  expect(completedValues(formOf("sponsor-applications"), { productCategories: false })).toMatchObject({ productCategories: [] });
});

it("keeps in a draft what was answered, but no agreement and no default", () => {
  expect(draftValues(speaker, { name: "Ana", email: "", termsAccepted: true })).toEqual({ name: "Ana" });
  expect(draftValues(waitlist, { additionalNominations: "0", wantToCompete: false })).toEqual({});
  expect(draftValues(waitlist, { additionalNominations: "2", wantToCompete: true })).toEqual({ additionalNominations: "2", wantToCompete: true });
});

describe("the errors of categories", () => {
  const form = formOf("competition-entries");
  const first = "Please select your first additional category";

  it("mark a category that is missing, and not the subcategory that nobody can choose yet", () => {
    const errors = { primaryCategory: "Please select your primary competition category", subCategory: "Please select a subcategory", additionalCategory1: first, additionalCategory1Sub: first };
    expect(shownErrors(form, {}, errors)).toEqual({ primaryCategory: errors.primaryCategory, additionalCategory1: first });
  });

  it("name the subcategory where its message is its category's", () => {
    expect(shownErrors(form, { additionalCategory1: "brows" }, { additionalCategory1Sub: first })).toEqual({ additionalCategory1Sub: `${first} and its subcategory` });
    expect(shownErrors(form, { primaryCategory: "brows" }, { subCategory: "Please select a subcategory" })).toEqual({ subCategory: "Please select a subcategory" });
  });
});

it("counts the required answers that are right", () => {
  const { asked, answered } = progressOf(speaker, { name: "Ana", email: "ana", portfolio: "example.com" });
  expect(asked).toHaveLength(10);
  expect([...answered]).toEqual(["name"]);
  expect(progressOf(waitlist, {}).asked.map((field) => field.name)).toEqual(["name", "email"]);
});

it.each([
  [0, 50, "At least 50 characters"],
  [1, 50, "49 more characters to go"],
  [49, 50, "1 more character to go"],
  [50, 50, "50 characters"],
])("says at %i of %i: %s", (count, least, words) => expect(lengthWords(count, least)).toBe(words));

describe("a failure", () => {
  const withDetail = new ApiError(503, "", JSON.stringify({ detail: "The server is busy." }));
  const without = new ApiError(500, "Internal Server Error", "");

  it.each([
    ["speaker-applications", "Error", "There was an error submitting your application. Please try again."],
    ["judge-applications", "Error", "There was an error submitting your application. Please try again."],
    ["sponsor-applications", "Error submitting application", "Please try again later."],
    ["professional-demo-registrations", "Submission Failed", "Failed to submit application"],
  ] as const)("of %s has the catalogue's words, or the server's", (kind, title, message) => {
    expect(failureOf(kind, without)).toEqual({ title, message });
    expect(failureOf(kind, new TypeError("Failed to fetch"))).toEqual({ title, message });
    expect(failureOf(kind, withDetail)).toEqual({ title, message: "The server is busy." });
  });
});
