import { expect, it } from "vitest";
import type { Nomination } from "./api";
import { incompleteText, missingText } from "./nomination-page";

const nomination = (missing: string[], sent: string[], state = "open") => ({
  state,
  missing,
  slots: ["before", "after", "left"].map((key) => ({ key, media: sent.includes(key) ? {} : null })),
}) as unknown as Nomination;

it("says what is missing of a nomination, and what has to be replaced", () => {
  expect(missingText(nomination([], ["before", "after", "left"]))).toBe("Nothing");
  expect(missingText(nomination(["before", "after", "release"], ["left"]))).toBe("2 photos, release");
  expect(missingText(nomination(["before"], ["before", "after", "left"])), "a returned photo is there").toBe("1 photo to replace");
  expect(missingText(nomination(["before", "after", "release"], ["before", "left"]))).toBe("1 photo, release, 1 photo to replace");
  expect(incompleteText(nomination(["before", "after", "release"], ["before", "left"]))).toBe("1 photo, release missing, 1 photo to replace");
  expect(incompleteText(nomination(["before"], ["before"]))).toBe("1 photo to replace");
  expect(incompleteText(nomination(["before", "release"], [], "withdrawn"))).toBe("");
});
