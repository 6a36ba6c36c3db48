import { formatCount } from "../shell/numbers";
import type { List, ListQuery } from "./api";

type Size = Pick<List, "total" | "page" | "pageSize"> & { items: readonly unknown[] };

/** "53 total", "3 found", "51 to 53 of 53". */
export function countText({ items, total, page, pageSize }: Size, { search, status, category }: Pick<ListQuery, "search" | "status" | "category">): string {
  if (total <= pageSize || items.length === 0) return `${formatCount(total)} ${search || status || category ? "found" : "total"}`;
  const first = (page - 1) * pageSize + 1;
  return `${formatCount(first)} to ${formatCount(first + items.length - 1)} of ${formatCount(total)}`;
}
