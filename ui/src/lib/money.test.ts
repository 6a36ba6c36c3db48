import { expect, it } from "vitest";
import { dollars, shortDollars } from "./money";

it.each([[0, "$0.00"], [5, "$0.05"], [44900, "$449.00"], [123456789, "$1,234,567.89"], [-9900, "-$99.00"]])("writes %d cents as %s", (cents, text) => {
  expect(dollars(cents)).toBe(text);
});

it("leaves out a fraction that says nothing", () => {
  expect(shortDollars(44900)).toBe("$449");
  expect(shortDollars(44950)).toBe("$449.50");
});
