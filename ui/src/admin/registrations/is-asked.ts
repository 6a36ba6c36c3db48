import type { FieldLabels } from "../shell/form-labels";
import type { Registration } from "../shell/kinds";

/** Whether the form asked for the field, given the other answers: without an additional category there is no second one to choose. */
export function isAsked({ requiredFrom }: FieldLabels, record: Registration): boolean {
  return requiredFrom === undefined || Number(record[requiredFrom.field] ?? 0) >= requiredFrom.atLeast;
}
