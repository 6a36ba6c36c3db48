import { expect, it } from "vitest";
import { findRoute, routes } from "./routes";

it("finds a page with and without a slash at the end", () => {
  expect(findRoute("/venue")?.page).toBe("venue");
  expect(findRoute("/venue/")?.page).toBe("venue");
  expect(findRoute("/")?.page).toBe("home");
});

it("knows no page for anything else, nor the not-found page by its address", () => {
  expect(findRoute("/nowhere")).toBeUndefined();
  expect(findRoute("/404")).toBeUndefined();
});

it("keeps the payment's and the organiser's policy to one page each", () => {
  expect(routes.filter((route) => route.policy !== "site").map((route) => [route.path, route.policy])).toEqual([
    ["/enter-competition", "entry"],
    ["/export-data", "organiser"],
  ]);
});
