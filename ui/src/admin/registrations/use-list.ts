import useSWR from "swr";
import type { Kind } from "../../lib/page";
import { useAddress } from "../shell/address";
import type { Registration } from "../shell/kinds";

export const pageSize = 50;

export interface List {
  items: Registration[];
  total: number;
  page: number;
  pageSize: number;
}

/** What the address asks of the list. */
export interface Asked {
  search: string;
  status: string;
  /** A category's slug; only entries have any. */
  category: string;
  /** A field's name, with a minus in front downwards. */
  sort: string;
  page: number;
}

export function useAsked(): Asked {
  const params = useAddress();
  const page = Number(params.get("page") ?? "1");
  return {
    search: params.get("search") ?? "",
    status: params.get("status") ?? "",
    category: params.get("category") ?? "",
    sort: params.get("sort") ?? "-createdAt",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** One page of a kind. While another is read, the one before stays. */
export function useList(kind: Kind, { search, status, category, sort, page }: Asked) {
  const query = new URLSearchParams({ search, status, ...(kind === "competition-entries" && { category }), sort, page: String(page), pageSize: String(pageSize) });
  return useSWR<List, unknown>(["/api", `${kind}?${query}`], { keepPreviousData: true });
}
