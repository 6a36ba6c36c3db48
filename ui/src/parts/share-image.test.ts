import { expect, it } from "vitest";
import { sampleInput } from "../../test/sample-input";
import { shareImageOf } from "./share-image";

const { event, home } = sampleInput.content;

it("says the built-in event's words in the share image, and nobody else's", () => {
  expect(shareImageOf({ event, home })).toBe("/share.png");
  expect(shareImageOf({ event: { ...event, dates: "April 3-4, 2027" }, home })).toBe("/share-plain.png");
  const withPicture = { ...home, hero: { ...home.hero, image: "/images/hall-1a2b.jpg" } };
  expect(shareImageOf({ event, home: withPicture })).toBe("/images/hall-1a2b.jpg");
});
