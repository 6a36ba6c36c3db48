import { expect, it } from "vitest";
import { cropOf, focusIn, nameFrom, sentSize } from "./crop";

const photo = { width: 4000, height: 3000 };

it("crops to the shape around the point that matters, within the picture", () => {
  expect(cropOf(photo, [1, 1], { x: 0.5, y: 0.5 }, 1)).toEqual({ left: 500, top: 0, width: 3000, height: 3000 });
  expect(cropOf(photo, [1, 1], { x: 0.9, y: 0.1 }, 1)).toEqual({ left: 1000, top: 0, width: 3000, height: 3000 });
  expect(cropOf(photo, [4, 5], { x: 0.5, y: 0.5 }, 2)).toEqual({ left: 1400, top: 750, width: 1200, height: 1500 });
  expect(cropOf({ width: 900, height: 1600 }, [16, 9], { x: 0, y: 1 }, 1)).toEqual({ left: 0, top: 1600 - 506.25, width: 900, height: 506.25 });
});

it("says where the point is in the cropped picture", () => {
  expect(focusIn(cropOf(photo, [1, 1], { x: 0.9, y: 0.1 }, 1), photo, { x: 0.9, y: 0.1 })).toEqual({ x: 87, y: 10 });
  expect(focusIn(cropOf(photo, [1, 1], { x: 0.5, y: 0.5 }, 3), photo, { x: 0.5, y: 0.5 })).toEqual({ x: 50, y: 50 });
});

it("sends no picture larger than it is, and names it after what it shows", () => {
  expect([sentSize({ width: 900, height: 600 }, 2000), sentSize(photo, 2000)]).toEqual([{ width: 900, height: 600 }, { width: 2000, height: 1500 }]);
  expect([nameFrom("Ána Lima, at work!", "3f9c"), nameFrom("…", "1"), nameFrom("x".repeat(90), "3f9c").length]).toEqual(["ana-lima-at-work-3f9c", "picture-1", 55]);
});
