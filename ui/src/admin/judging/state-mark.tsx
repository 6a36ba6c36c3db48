import { ShapeMark } from "../shell/status-mark";
import type { CategoryState, SheetState } from "./api";
import { categoryStates, sheetStates } from "./words";

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
