import { expect, it } from "vitest";
import { sampleInput } from "../../../test/sample-input";
import { formLabels } from "../shell/form-labels.server";
import { isAsked } from "./record-page";

const fields = formLabels("competition-entries", sampleInput.content).sections.flatMap((section) => section.fields);
const left = (additionalCategories: number) => fields.filter((field) => !isAsked(field, { id: 1, createdAt: "", status: "new", additionalCategories })).map(({ name }) => name);

it("leaves out the categories that an entry was not asked for", () => {
  expect(left(0)).toEqual(["additionalCategory1", "additionalCategory1Sub", "additionalCategory2", "additionalCategory2Sub"]);
  expect(left(1)).toEqual(["additionalCategory2", "additionalCategory2Sub"]);
  expect(left(2)).toEqual([]);
});
