import type { ScoreSheet } from "../api";

/** "2nd of 18", or why there is no place. */
export function placeText({ state, place, placed }: Pick<ScoreSheet, "state" | "place" | "placed">): string {
  if (state === "disqualified") return "Disqualified";
  return place === null ? "Not placed" : `${ordinal(place)} of ${placed}`;
}

/** "1st", "2nd", "3rd", "11th" */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" } as Record<number, string>)[place % 10] ?? "th";
  return `${place}${ending}`;
}

/** A number with a proper minus sign, and without one before zero. */
export function signedPoints(points: string): string {
  if (Number(points) === 0) return points.replace("-", "");
  return points.startsWith("-") ? `\u2212${points.slice(1)}` : `+${points}`;
}

/** Positions on a scale from 0 to 100. */
export function rangeOf({ max, lowest, highest, mean, points }: Pick<ScoreSheet["criteria"][number], "max" | "lowest" | "highest" | "mean" | "points">) {
  const at = (value: string) => Math.round((Number(value) / max) * 1000) / 10;
  return { lowest: at(lowest), highest: at(highest), mean: at(mean), own: at(points) };
}
