import type { Value } from "./fields/field";
import { isWithin, parentOf, rebased, type Change } from "./paths";

/** A change that is not saved yet. */
export interface Pending {
  change: Change;
  /** The server has refused it; it is sent again with the next one. */
  isRefused: boolean;
  isDisputed: boolean;
}

/** Sets a value, and moves nothing in a list. */
export function isPlain(change: Change): change is { path: string; value: Value } {
  return !("insert" in change) && !("move" in change) && !(change.value === null && change.path.endsWith("]"));
}

/** Where a change's path leads after others; nothing if they remove it. */
export function pathAfter({ change }: Pending, later: readonly Pending[]): string | undefined {
  return later.reduce<string | undefined>((path, next) => path && rebased(path, next.change), change.path);
}

/** Whether the server's sentence about a path is about a change: at it, under it, above it or in the same table. */
export function concerns(path: string, changed: string | undefined): boolean {
  return changed !== undefined && (isWithin(path, changed) || isWithin(changed, path) || parentOf(path) === parentOf(changed));
}
