import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { citation } from "./certificate";
import { placeText, rangeOf, signedPoints, sumOf } from "./score-words";

it("adds up points exactly", () => {
  expect(sumOf([{ points: "8.33" }, { points: "0.10" }, { points: "0.20" }])).toBe("8.63");
});

it("says the place, or why there is none", () => {
  expect(placeText({ state: "placed", place: 2, placed: 18 })).toBe("2nd of 18");
  expect(placeText({ state: "unplaced", place: null, placed: 0 })).toBe("Not placed");
  expect(placeText({ state: "disqualified", place: null, placed: 3 })).toBe("Disqualified");
});

it("shows signs, and none before zero", () => {
  expect(["-5.00", "3.61", "-0.00"].map(signedPoints)).toEqual(["\u22125.00", "+3.61", "0.00"]);
});

it("draws a criterion on a line of its maximum", () => {
  expect(rangeOf({ max: 15, lowest: "6.00", highest: "14.40", mean: "12.30", points: "13.50" })).toEqual({ lowest: 40, highest: 96, mean: 82, own: 90 });
});

it("says on a certificate what was done", () => {
  expect([citation({ kind: "place", place: 1 }), citation({ kind: "place", place: 4 }), citation({ kind: "participant", place: null })]).toEqual(["won First Place in", "won place 4 in", "competed in"]);
});

it("asks for a font of its own for each letter of a Vietnamese or Polish name", () => {
  const faces = readFileSync(new URL("../../styles/names.css", import.meta.url), "utf8").split("@font-face").slice(1);
  // Beside Latin-1, as `fonts/make.py` has them.
  const inSite = "ŒœıŠšŸŽž";
  const ranges = faces.map((face) => [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = "", to = from]) => [parseInt(from, 16), parseInt(to, 16)] as const));
  const isCovered = (letter: string) => inSite.includes(letter) || letter.codePointAt(0)! < 0x100 || ranges.some((range) => range.some(([from, to]) => from <= letter.codePointAt(0)! && letter.codePointAt(0)! <= to));
  expect([..."Nguyễn Thị Hồng Đặng Phượng Łukasz Żółć Šimůnková Gülşen"].filter((letter) => !isCovered(letter))).toEqual([]);
});
