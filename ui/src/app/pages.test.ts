import { expect, it } from "vitest";
import { findRoute } from "./pages";
import { routes } from "./routes";

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
  const pagesWith = (policy: string) => new Set(routes.filter((route) => route.policy === policy).map((route) => route.page));
  expect(pagesWith("entry")).toEqual(new Set(["enter-competition"]));
  expect(pagesWith("organiser")).toEqual(new Set(["export-data"]));
});

it("gives each of the organiser's lists an address", () => {
  expect(findRoute("/export-data/waitlist-signups/")).toEqual({ path: "/export-data/waitlist-signups", page: "export-data", policy: "organiser" });
  expect(findRoute("/export-data-else")).toBeUndefined();
  expect(routes.map((route) => route.path)).toContain("/export-data/waitlist-signups");
  expect(routes.map((route) => route.path)).not.toContain("/export-data/nothing");
});
