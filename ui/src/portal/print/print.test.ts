import { expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { awardLine, certificateName, citation } from "./certificate";
import { signed } from "../../lib/numbers";
import { placeText, rangeOf } from "./score-sheet-page";

it("says the place, or why there is none", () => {
  expect(placeText({ state: "placed", place: 2, placed: 18 })).toBe("2nd of 18");
  expect(placeText({ state: "unplaced", place: null, placed: 0 })).toBe("Not placed");
  expect(placeText({ state: "disqualified", place: null, placed: 3 })).toBe("Disqualified");
});

it("shows signs, and none before zero", () => {
  expect(["-5.00", "3.61", "-0.00"].map(signed)).toEqual(["\u22125.00", "+3.61", "0.00"]);
});

it("draws a criterion on a line of its maximum", () => {
  expect(rangeOf({ max: 15, lowest: "6.00", highest: "14.40", mean: "12.30", points: "13.50" })).toEqual({ lowest: 40, highest: 96, mean: 82, own: 90 });
});

it("says on a certificate what was done", () => {
  expect([citation({ kind: "place", place: 1 }), citation({ kind: "place", place: 4 }), citation({ kind: "participant", place: null })]).toEqual(["won First Place in", "won place 4 in", "competed in"]);
  expect(citation({ kind: "speaker", place: null }), "before the event's name").toBe("spoke at");
});

it("names the award of a certificate, but not twice", () => {
  const of = (label: string, award: string, kind: "place" | "participant" = "place") => awardLine({ kind, label, award });
  expect([of("Lash Extensions - Volume", "Lash Extension"), of("Lash Lift", "Lash Lift"), of("Brows - Creative", ""), of("Makeup", "Best", "participant")]).toEqual(["Award: Lash Extension", "", "", ""]);
});

it("tells two certificates of one person in one category apart", () => {
  const own = { name: "Ada Sample", label: "Lash Lift" };
  expect([certificateName({ ...own, kind: "participant", place: null }), certificateName({ ...own, kind: "place", place: 1 })]).toEqual(["Ada Sample, Lash Lift (participation)", "Ada Sample, Lash Lift (first place)"]);
  expect(certificateName({ ...own, kind: "place", place: 4 }), "a place without a name").toBe("Ada Sample, Lash Lift (place 4)");
});

it("asks for a font of its own for each letter of a Vietnamese or Polish name", () => {
  const faces = readFileSync(new URL("../../styles/names.css", import.meta.url), "utf8").split("@font-face").slice(1);
  // Beside Latin-1, as `fonts/make.py` has them.
  const inSite = "ŒœıŠšŸŽž";
  const ranges = faces.map((face) => [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = "", to = from]) => [parseInt(from, 16), parseInt(to, 16)] as const));
  const isCovered = (letter: string) => inSite.includes(letter) || letter.codePointAt(0)! < 0x100 || ranges.some((range) => range.some(([from, to]) => from <= letter.codePointAt(0)! && letter.codePointAt(0)! <= to));
  expect([..."Nguyễn Thị Hồng Đặng Phượng Łukasz Żółć Šimůnková Gülşen"].filter((letter) => !isCovered(letter))).toEqual([]);
});
