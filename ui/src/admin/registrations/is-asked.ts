import type { FieldLabels } from "../shell/form-labels";
import type { Registration } from "../shell/kinds";

/** Whether the form asked for the field, with what was answered elsewhere: no second category where none was added. */
export function isAsked({ requiredFrom }: FieldLabels, record: Registration): boolean {
  return requiredFrom === undefined || Number(record[requiredFrom.field] ?? 0) >= requiredFrom.atLeast;
}
