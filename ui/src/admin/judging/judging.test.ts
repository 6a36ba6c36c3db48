import { flatten, safeParse } from "valibot";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { expect, it } from "vitest";
import type { CeremonyCategory, JudgedCategoryDetail } from "../../lib/answer-types";
import { ApiError } from "../../lib/api-error";
import { signed } from "../../lib/numbers";
import { ordinal } from "../../portal/print/certificate";
import { Results } from "./results";
import { warningOf } from "./api";
import { panelSchema, rolesOf, conflictRows } from "./panel";
import { photosOf, stepsOf } from "./ceremony-page";
import { emptyPaper, paperOf, paperSheetSchema, paperBody, totalOf } from "./paper-page";
import { progressText } from "./state-mark";

const place = (number: number, code: string) => ({ place: number, code, name: code, businessName: null, points: "80.00", photo: number === 1 ? `/photo/${code}` : null });
const category = (...places: ReturnType<typeof place>[]) => ({ label: "Volume", places }) as unknown as CeremonyCategory;

it("reveals from the third place to the first, the place before its names", () => {
  const steps = stepsOf([category(place(3, "A"), place(2, "B"), place(1, "C"))]);
  expect(steps.map(({ shows }) => shows)).toEqual(["category", "place", "names", "place", "names", "place", "names", "all"]);
  expect(steps.flatMap((step) => step.shows === "names" ? step.winners.map(({ code }) => code) : [])).toEqual(["A", "B", "C"]);
});

it("reveals a shared place at once, and skips a category without places", () => {
  const steps = stepsOf([category(place(2, "A"), place(2, "B"), place(1, "C")), category()]);
  expect(steps.flatMap((step) => step.shows === "names" ? [step.winners.map(({ code }) => code)] : [])).toEqual([["A", "B"], ["C"]]);
  expect(photosOf([category(place(2, "A"), place(1, "C"))])).toEqual(["/photo/C"]);
});

it("lists abstentions with the conflicts, and each of both once", () => {
  const conflict = { judge: 1, judgeName: "Mona", code: "LE-101", name: "Ada", source: "recused" as const, reason: "Taught her." };
  const sheet = (code: string, state: string, reason: string | null = null) => ({ code, state, missing: [], paperBy: null, reason });
  const progress = [{ judge: 1, name: "Mona", sheets: [sheet("LE-101", "abstained", "x"), sheet("LE-102", "abstained", "Not my field."), sheet("LE-103", "open")] }];
  const rows = conflictRows({ conflicts: [conflict], progress, entries: [{ code: "LE-102", name: "Bea" }] } as unknown as Parameters<typeof conflictRows>[0]);
  expect(rows).toEqual([conflict, { judge: 1, judgeName: "Mona", code: "LE-102", name: "Bea", source: "abstained", reason: "Not my field." }]);
});

it("counts sheets without conflicts and abstentions", () => {
  const sheets = { open: 2, saved: 1, confirmed: 5, conflict: 3, abstained: 1, secondLook: 1 };
  expect(progressText({ state: "scoring", sheets })).toBe("5 of 9 sheets confirmed");
  expect(progressText({ state: "no_panel", sheets })).toBe("");
});

it("writes places and signs as people do", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal)).toEqual(["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
  expect(["-1.25", "2.00", "0.00"].map(signed)).toEqual(["\u22121.25", "+2.00", "0.00"]);
});

it("tells a warning from a refusal", () => {
  const refusal = (errors: object) => new ApiError(422, "", JSON.stringify({ errors }));
  expect(warningOf(refusal({ anyway: "Shares a salon." }))).toBe("Shares a salon.");
  expect(warningOf(refusal({ email: "Wrong." }))).toBeUndefined();
});

it("checks a sheet of paper before it is saved, and sends every value of it", () => {
  const fullMarks = "";
  const rubric = {
    step: 0.5, minimumForPlaces: 1, thresholdPercent: null, secondLookPoints: 12, penaltyCap: 10, tieOrder: [],
    criteria: [{ key: "overall", label: "Overall", fullMarks, max: 10 }, { key: "clean", label: "Clean work", fullMarks, max: 5 }],
    penalties: [{ key: "mark", label: "Logo", max: 5 }],
  };
  const check = (values: object) => {
    const { success, output, issues } = safeParse(paperSheetSchema(rubric, ["1 LE-100"]), values);
    return success ? output : flatten(issues).nested;
  };
  const typed = { sheet: "1 LE-100", "c-overall": "8.5", "c-clean": "5.2", "p-mark": "6", comment: " Even. " };
  const ofScale = ["Please enter 0 to 5 in steps of 0.5"];
  expect(check(typed)).toEqual({ "c-clean": ofScale, "p-mark": ofScale });
  const missing = ["Please enter the points"];
  expect(check(emptyPaper(rubric))).toEqual({ sheet: ["Please choose a sheet"], "c-overall": missing, "c-clean": missing });
  expect(check({ ...typed, "c-clean": "5", "p-mark": "", sheet: "1 LE-101" }), "a sheet that was confirmed meanwhile").toEqual({ sheet: ["Please choose a sheet"] });
  const whole = { ...typed, "c-clean": "0", "p-mark": "", comment: "Even." };
  expect([check({ ...whole, comment: " Even. " }), totalOf(whole, rubric)]).toEqual([whole, 8.5]);
  const sent = paperBody(whole, rubric);
  expect(sent).toEqual({ scores: [{ criterion: "overall", points: 8.5 }, { criterion: "clean", points: 0 }], penalties: [{ penalty: "mark", points: 0 }], comment: "Even." });
  expect(paperOf("1 LE-100", { judge: 1, code: "LE-100", typedBy: "ines", savedAt: "2026-03-02T10:00:00.000Z", ...sent }, rubric)).toEqual(whole);
});

it("reads the roles on a panel, and writes them as the server takes them", () => {
  expect(safeParse(panelSchema, { 1: "judge", 2: "head", 3: "reserve", 4: "" }).output).toEqual({ judges: [1, 2], heads: [2], reserves: [3] });
  const [ada, bea, cleo] = [{ id: 1, name: "Ada" }, { id: 2, name: "Bea" }, { id: 3, name: "Cleo" }];
  expect(rolesOf({ judges: [ada], head: 1, reserves: [cleo] }, [ada, bea, cleo])).toEqual({ 1: "head", 2: "", 3: "reserve" });
});

it("lists a result whose person was erased by its code, without a link", () => {
  const result = { code: "LE-100", id: null, name: null, businessName: null, points: "8.00", place: 1, total: "8.00", penalties: "0.00", adjustment: null, sentence: null, state: "placed" } as const;
  const html = renderToStaticMarkup(createElement(Router, { ssrPath: "/", children: createElement(Results, { detail: { results: [result] } as unknown as JudgedCategoryDetail }) }));
  expect(html).toContain("LE-100");
  expect(html).not.toContain("<a ");
});
