import { expect, it } from "vitest";
import { swipeStep, wrapped } from "./carousel-controls";

it("wraps at both ends", () => {
  expect([wrapped(4, 4), wrapped(-1, 4), wrapped(2, 4), wrapped(0, 0)]).toEqual([0, 3, 2, 0]);
});

it.each([[100, 49, 1], [100, 50, 0], [100, 151, -1], [100, 150, 0], [undefined, 500, 0]] as const)("from %s to %s is a swipe by %s", (from, to, step) => {
  expect(swipeStep(from, to)).toBe(step);
});
