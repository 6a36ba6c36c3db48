import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { pageOf } from "../../../test/page-of";
import { sampleInput } from "../../../test/sample-input";
import type { PageName } from "../../app/pages";
import { pagePictures, pictureOf } from "./page-pictures";

it.each(Object.keys(pagePictures) as PageName[])("%s has a share image of its own while its words are true", async (page) => {
  const { data, head } = await pageOf(page);
  const { title } = head(data(sampleInput, `/${page}`));
  expect(pictureOf(page, title, "/share.png")).toBe(`/share-${page}.png`);
  expect(existsSync(new URL(`../../../files/share-${page}.png`, import.meta.url))).toBe(true);
  expect(pictureOf(page, "Another title", "/share.png")).toBe("/share.png");
  expect(pictureOf(page, title, "/share-plain.png"), "for another event's dates").toBe("/share-plain.png");
});

it("leaves the organiser's photo to every page", () => {
  expect(pictureOf("venue", "Lakeside Venue", "/images/1a2b-960.jpg")).toBe("/images/1a2b-960.jpg");
});
