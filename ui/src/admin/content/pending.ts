import type { Value } from "./fields/field";
import { isWithin, parentOf, rebased, type Change } from "./paths";

/** A change that is not saved yet. */
export interface Pending {
  change: Change;
  /** The server has refused it; it is sent again with the next one. */
  isRefused: boolean;
  isDisputed: boolean;
}

/** Whether the change sets a value and shifts no list index. */
export function isPlain(change: Change): change is { path: string; value: Value } {
  return !("insert" in change) && !("move" in change) && !(change.value === null && change.path.endsWith("]"));
}

/** The change's path after later changes have been applied; undefined if they remove it. */
export function pathAfter({ change }: Pending, later: readonly Pending[]): string | undefined {
  return later.reduce<string | undefined>((path, next) => path && rebased(path, next.change), change.path);
}

/** Whether an error at `path` may be caused by a change at `changed`: the same value, one inside it or around it, or one in the same table. */
export function concerns(path: string, changed: string | undefined): boolean {
  return changed !== undefined && (isWithin(path, changed) || isWithin(changed, path) || parentOf(path) === parentOf(changed));
}
