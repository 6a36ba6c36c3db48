import { expect, it } from "vitest";
import { wrapped } from "./carousel-controls";

it("wraps at both ends", () => {
  expect([wrapped(4, 4), wrapped(-1, 4), wrapped(2, 4), wrapped(0, 0)]).toEqual([0, 3, 2, 0]);
});
