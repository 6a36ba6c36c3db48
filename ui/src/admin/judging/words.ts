import type { CategoryState, Counts, Overview, SheetState } from "./api";

export const categoryStates: Record<CategoryState, string> = { no_panel: "No panel yet", scoring: "Scoring", sealed: "Sealed", published: "Published" };

export const sheetStates: Record<SheetState, string> = {
  open: "Not yet", saved: "Saved", confirmed: "Confirmed", conflict: "Conflict", abstained: "Abstained", second_look: "Second look",
};

export function allSheets({ open, saved, confirmed, secondLook }: Counts): number {
  return open + saved + confirmed + secondLook;
}

/** "12 of 36 sheets confirmed": conflicts and abstentions are no sheets to wait for. */
export function progressText({ state, sheets }: Pick<Overview, "state" | "sheets">): string {
  const all = allSheets(sheets);
  if (state === "no_panel" || all === 0) return "";
  return `${sheets.confirmed} of ${all} sheets confirmed`;
}

/** "+1.25" or "−1.25", as people write them. */
export function signed(points: string): string {
  const plain = points.replace("-", "\u2212");
  return plain.startsWith("\u2212") || Number(points) === 0 ? plain : `+${plain}`;
}

/** "1st", "2nd", "3rd", "11th" */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" } as Record<number, string>)[place % 10] ?? "th";
  return `${place}${ending}`;
}
