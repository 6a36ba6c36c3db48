import { download } from "../../lib/download";

/** Saves a list as CSV; `query` is empty or names a day: `?day=1`. */
export function downloadList(name: string, query: string): Promise<void> {
  return download(`/api/lists/${name}/csv${query}`, `${name}.csv`);
}
