import { minLength, object, pipe, string, transform, trim } from "valibot";
import { expect, it } from "vitest";
import { resolverOf } from "./use-valid-form";

const schema = object({ name: pipe(string(), trim(), minLength(1, "Please enter a name."), minLength(2, "Too short.")), cents: pipe(string(), transform(Number)) });
const resolve = (values: { name: string; cents: string }) => resolverOf(schema)(values, undefined, { fields: {}, shouldUseNativeValidation: false });

it("gives the schema's output when every field is right", async () => {
  expect(await resolve({ name: " Ines ", cents: "99" })).toEqual({ values: { name: "Ines", cents: 99 }, errors: {} });
});

it("gives the first message for a wrong field", async () => {
  expect(await resolve({ name: " ", cents: "99" })).toEqual({ values: {}, errors: { name: { type: "min_length", message: "Please enter a name." } } });
});
