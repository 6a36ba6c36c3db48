import { expect, it } from "vitest";
import { sampleInput } from "../../../test/sample-input";
import { isAbroad, isOwnChoice, suggestedTaxLocation, taxMismatch } from "./tax-field";

const offered = sampleInput.content.pricing.taxLocations.map(({ value }) => value);

it.each([
  ["Miami, FL", "florida"],
  ["miami, fl", "florida"],
  ["Miami FL", "florida"],
  ["Miami, Fla.", undefined],
  ["Miami, Florida", "florida"],
  ["Miami, Florida, USA", "florida"],
  ["Miami, FL 33101", "florida"],
  ["Miami, FL 33101-1234, United States", "florida"],
  ["Miami", "florida"],
  ["FL", "florida"],
  ["Jersey City, NJ", "new-jersey"],
  ["Jersey City N.J.", "new-jersey"],
  ["NYC", "new-york"],
  ["New York", "new-york"],
  ["New York, NY", "new-york"],
  ["Brooklyn, New York City", "new-york"],
  ["Stamford, CT", "connecticut"],
  ["Los Angeles", "california"],
  ["California, Maryland", "maryland"],
  ["Austin Texas", "texas"],
  ["Pittsburgh PA", "pennsylvania"],
  ["Boston, Massachusetts", "massachusetts"],
  ["Chicago, IL", "illinois"],
  ["Norfolk, Virginia", "virginia"],
  ["Seattle, Washington", "washington"],
  ["Seattle", "washington"],
  // In the table there is nothing but "other" for them.
  ["Denver, CO", "other"],
  ["Portland, Oregon", "other"],
  ["Charleston West Virginia", "other"],
  ["Washington, DC", "other"],
  ["Washington, D.C.", "other"],
])("%s is taxed in %s", (location, value) => {
  expect(suggestedTaxLocation(location, offered)).toBe(value);
});

it.each([
  "", " ", "Washington", "LA", "Port Washington", "London", "Toronto, Canada", "Sydney, Australia", "Paris", "Springfield", "Al", "Boston, England", "Miami, F", "in", "Me", "12345", "USA",
])("%j names no state", (location) => {
  expect(suggestedTaxLocation(location, offered)).toBeUndefined();
});

it("suggests nothing that the organiser does not offer", () => {
  expect(suggestedTaxLocation("Miami, FL", ["new-york", "other"])).toBe("other");
  expect(suggestedTaxLocation("Miami, FL", ["new-york"])).toBeUndefined();
});

it("takes a kept state for her own choice where the location alone would have given another", () => {
  const own = (location: string, taxLocation: string) => isOwnChoice({ location, taxLocation }, offered, "new-york");
  expect(own("Miami, FL", "florida")).toBe(false);
  expect(own("Miami, FL", "new-york")).toBe(true);
  expect(own("Toronto", "new-york")).toBe(false);
  expect(own("Toronto", "texas")).toBe(true);
});

it.each([
  ["Miami, FL", "new-york", "Your location names Florida; the tax is for New York."],
  ["Miami, FL", "florida", undefined],
  ["Denver, CO", "florida", "Your location names another state; the tax is for Florida."],
  ["Miami, FL", "other", "Your location names Florida; the tax is for another state."],
  ["Berlin", "new-york", undefined],
  ["", "new-york", undefined],
])("%s with the tax of %s", (location, taxLocation, said) => {
  expect(taxMismatch(location, taxLocation, sampleInput.content.pricing.taxLocations)).toBe(said);
});

it("knows a location outside the US from one in a state of a similar name", () => {
  for (const location of ["Toronto, Canada", "London, UK", "Paris, France", "Mexico City, Mexico"]) expect(isAbroad(location), location).toBe(true);
  for (const location of ["", "Jersey City, NJ", "Albuquerque, New Mexico", "Paris, Texas", "Dublin, Ohio", "Somewhere"]) expect(isAbroad(location), location).toBe(false);
});
