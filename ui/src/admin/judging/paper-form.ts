import { pointsIn } from "../../portal/judge/words";
import type { Detail, TypedSheet } from "./api";

/** The typed values, by the keys of criteria and penalties. */
export interface Draft {
  points: Record<string, string>;
  penalties: Record<string, string>;
  comment: string;
}

export const emptyDraft: Draft = { points: {}, penalties: {}, comment: "" };

export function draftOf({ scores, penalties, comment }: TypedSheet): Draft {
  const text = (points: number) => (points === 0 ? "" : String(points));
  return {
    points: Object.fromEntries(scores.map(({ criterion, points }) => [criterion, String(points)])),
    penalties: Object.fromEntries(penalties.map(({ penalty, points }) => [penalty, text(points)])),
    comment,
  };
}

type Rubric = Detail["rubric"];

/** The errors, by `c-KEY` for a criterion and `p-KEY` for a penalty. */
export function errorsOf({ points, penalties }: Draft, { criteria, penalties: known, step }: Rubric): Record<string, string> {
  const errors: Record<string, string> = {};
  const wrong = (max: number) => `Please enter 0 to ${max}${step === 1 ? "" : ` in steps of ${step}`}`;
  for (const { key, max } of criteria) {
    const typed = points[key]?.trim() ?? "";
    if (typed === "") errors[`c-${key}`] = "Please enter the points";
    else if (pointsIn(typed, { max, step }) === undefined) errors[`c-${key}`] = wrong(max);
  }
  for (const { key, max } of known) {
    const typed = penalties[key]?.trim() ?? "";
    if (typed !== "" && pointsIn(typed, { max, step }) === undefined) errors[`p-${key}`] = wrong(max);
  }
  return errors;
}

/** The values as the server takes them. A penalty that is left empty takes back what was typed before. */
export function valuesOf({ points, penalties, comment }: Draft, { criteria, penalties: known, step }: Rubric) {
  const number = (typed: string | undefined, max: number) => pointsIn(typed ?? "", { max, step }) ?? 0;
  return {
    scores: criteria.map(({ key, max }) => ({ criterion: key, points: number(points[key], max) })),
    penalties: known.map(({ key, max }) => ({ penalty: key, points: number(penalties[key], max) })),
    comment: comment.trim(),
  };
}

/** The sum of the points, before penalties. */
export function totalOf({ points }: Draft, { criteria, step }: Rubric): number {
  return criteria.reduce((sum, { key, max }) => sum + (pointsIn(points[key] ?? "", { max, step }) ?? 0), 0);
}
