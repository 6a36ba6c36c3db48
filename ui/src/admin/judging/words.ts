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
