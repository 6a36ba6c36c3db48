import { download } from "../../lib/download";

export type ListFormat = "csv" | "xlsx";

/** Saves a list; `query` is empty or names a day: `?day=1`. */
export function downloadList(name: string, format: ListFormat, query = ""): Promise<void> {
  return download(`/api/lists/${name}/${format}${query}`, `${name}.${format}`);
}
