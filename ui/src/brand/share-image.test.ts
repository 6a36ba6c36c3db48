import { expect, it } from "vitest";
import { sampleInput } from "../../test/sample-input";
import { shareImageOf } from "./share-image";

const { event, home } = sampleInput.content;

it("says the built-in event's words in the share image, and nobody else's", () => {
  expect(shareImageOf({ event, home })).toBe("/share.png");
  expect(shareImageOf({ event: { ...event, dates: "April 3-4, 2027" }, home })).toBe("/share-plain.png");
  const image = { src: "/images/1a2b-960.jpg", srcSet: "/images/1a2b-960.jpg 960w", width: 960, height: 480, alt: "" };
  expect(shareImageOf({ event, home: { ...home, hero: { ...home.hero, image } } })).toBe("/images/1a2b-960.jpg");
});
