import { ShapeMark } from "../shell/status-mark";
import type { CategoryState, JudgedCategory, SheetCounts, SheetState } from "../../lib/answer-types";

const looks = {
  no_panel: ["ring", "soft"],
  scoring: ["half", "gold"],
  sealed: ["square", "rose"],
  published: ["check", "moss"],
  open: ["ring", "soft"],
  saved: ["half", "gold"],
  confirmed: ["check", "moss"],
  conflict: ["cross", "rose"],
  abstained: ["dash", "soft"],
  second_look: ["turn", "rose"],
} as const;

/** The state of a category or of a sheet as text, shape and colour. */
export function StateMark({ state }: { state: CategoryState | SheetState }) {
  return <ShapeMark look={looks[state]}>{state in categoryStates ? categoryStates[state as CategoryState] : sheetStates[state as SheetState]}</ShapeMark>;
}

/** The same as a shape alone, for the table of all sheets. */
export function StateShape({ state }: { state: SheetState }) {
  return <ShapeMark look={looks[state]}><span className="hidden-text">{sheetStates[state]}</span></ShapeMark>;
}

const categoryStates: Record<CategoryState, string> = { no_panel: "No panel yet", scoring: "Scoring", sealed: "Sealed", published: "Published" };

export const sheetStates: Record<SheetState, string> = {
  open: "Not yet", saved: "Saved", confirmed: "Confirmed", conflict: "Conflict", abstained: "Abstained", second_look: "Second look",
};

export function allSheets({ open, saved, confirmed, secondLook }: SheetCounts): number {
  return open + saved + confirmed + secondLook;
}

/** "12 of 36 sheets confirmed": conflicts and abstentions are no sheets to wait for. */
export function progressText({ state, sheets }: Pick<JudgedCategory, "state" | "sheets">): string {
  const all = allSheets(sheets);
  if (state === "no_panel" || all === 0) return "";
  return `${sheets.confirmed} of ${all} sheets confirmed`;
}
