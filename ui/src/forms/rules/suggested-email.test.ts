import { expect, it } from "vitest";
import { suggestedEmail } from "../fields/suggested-email";

it.each([
  ["ana@gmial.com", "ana@gmail.com"],
  ["ana@gmail.con", "ana@gmail.com"],
  ["ana@gmail.co", "ana@gmail.com"],
  [" Ana@GMIAL.com ", "Ana@gmail.com"],
  ["ana@hotmial.com", "ana@hotmail.com"],
  ["ana@yaho.com", "ana@yahoo.com"],
  ["ana@iclod.com", "ana@icloud.com"],
  ["ana@outlok.com", "ana@outlook.com"],
])("%s was probably meant to be %s", (typed, meant) => {
  expect(suggestedEmail(typed)).toBe(meant);
});

it.each(["ana@gmail.com", "ana@email.com", "ana@lashbar.com", "ana@studio.co", "ana@salon.nyc", "ana@gmx.de", "ana@example.com", "ana", "ana@", ""])("%s is not doubted", (typed) => {
  expect(suggestedEmail(typed)).toBeUndefined();
});
