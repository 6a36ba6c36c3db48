import { check, nonEmpty, object, picklist, pipe, string, trim, type GenericSchema } from "valibot";
import { pointsIn } from "../../portal/judge/words";
import type { Detail, TypedSheet } from "./api";

/** The typed values by the names of their fields: `sheet`, `comment`, `c-KEY` for a criterion, `p-KEY` for a penalty. */
export type PaperValues = Record<string, string>;

type Rubric = Detail["rubric"];

/** A form in which nothing is typed yet. */
export function emptyPaper({ criteria, penalties }: Rubric): PaperValues {
  const fields = ["sheet", ...criteria.map(({ key }) => `c-${key}`), ...penalties.map(({ key }) => `p-${key}`), "comment"];
  return Object.fromEntries(fields.map((name) => [name, ""]));
}

/** A sheet that was typed in, to be corrected. */
export function paperOf(sheet: string, { scores, penalties, comment }: TypedSheet, rubric: Rubric): PaperValues {
  return {
    ...emptyPaper(rubric), sheet, comment,
    ...Object.fromEntries(scores.map(({ criterion, points }) => [`c-${criterion}`, String(points)])),
    ...Object.fromEntries(penalties.map(({ penalty, points }) => [`p-${penalty}`, points === 0 ? "" : String(points)])),
  };
}

/** Checks the typed values. `sheets` are the ones that can be typed in. */
export function paperSheetSchema({ criteria, penalties, step }: Rubric, sheets: string[]): GenericSchema<PaperValues> {
  const scale = (max: number) => check((typed: string) => typed === "" || pointsIn(typed, { max, step }) !== undefined, `Please enter 0 to ${max}${step === 1 ? "" : ` in steps of ${step}`}`);
  const points = criteria.map(({ key, max }) => [`c-${key}`, pipe(string(), trim(), nonEmpty("Please enter the points"), scale(max))]);
  const deducted = penalties.map(({ key, max }) => [`p-${key}`, pipe(string(), trim(), scale(max))]);
  return object({ sheet: picklist(sheets, "Please choose a sheet"), ...Object.fromEntries([...points, ...deducted]), comment: pipe(string(), trim()) });
}

/** Checked values as the server takes them. A penalty that is left empty takes back what was typed before. */
export function paperBody(values: PaperValues, { criteria, penalties, step }: Rubric) {
  const number = (name: string, max: number) => pointsIn(values[name] ?? "", { max, step }) ?? 0;
  return {
    scores: criteria.map(({ key, max }) => ({ criterion: key, points: number(`c-${key}`, max) })),
    penalties: penalties.map(({ key, max }) => ({ penalty: key, points: number(`p-${key}`, max) })),
    comment: values.comment ?? "",
  };
}

/** The sum of the points, before penalties. */
export function totalOf(values: PaperValues, { criteria, step }: Rubric): number {
  return criteria.reduce((sum, { key, max }) => sum + (pointsIn(values[`c-${key}`] ?? "", { max, step }) ?? 0), 0);
}
