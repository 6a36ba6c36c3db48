import { useLocation } from "wouter";
import { Button } from "../../kit/button";
import { optionsOf, Select } from "../../kit/select";
import type { Kind } from "../../lib/page";
import { useExport } from "../exports/use-export";
import { addressWith, useAddress } from "../shell/address";
import { useAdmin } from "../shell/admin-context";
import { SearchField } from "../shell/search-field";
import { listedPayments, listedStatuses } from "../shell/statuses";
import type { ListQuery } from "./api";

interface Props {
  kind: Kind;
  query: ListQuery;
  isLoading: boolean;
  onRefresh: () => unknown;
}

/** The search, the filters and the file of a list. */
export function ListTools({ kind, query: { search, status, category }, isLoading, onRefresh }: Props) {
  const params = useAddress();
  const [, goTo] = useLocation();
  const { busy, save } = useExport();
  const { categoryNames } = useAdmin();
  const hasCategories = kind === "competition-entries";
  const change = (changes: Record<string, string>) => goTo(addressWith(params, { ...changes, page: null }), { replace: true });
  const statuses = hasCategories
    ? [{ label: "Payment", options: optionsOf(listedPayments) }, { label: "Screening", options: optionsOf(listedStatuses(kind)) }]
    : optionsOf(listedStatuses(kind));
  return (
    <div className={hasCategories ? "list-tools list-tools-wide" : "list-tools"}>
      <SearchField label="Search names, companies, email, phone or @handle" search={search} onSearch={(text) => change({ search: text })} />
      <Select label="Status" value={status} options={[{ value: "", label: "All except spam" }, ...statuses]} onChange={(event) => change({ status: event.target.value })} />
      {hasCategories && (
        <Select label="Category" value={category} options={[{ value: "", label: "All categories" }, ...optionsOf(categoryNames)]} onChange={(event) => change({ category: event.target.value })} />
      )}
      <div className="list-actions">
        <Button look="text" busy={isLoading} busyLabel="Loading…" onClick={() => void onRefresh()}>Refresh</Button>
        <Button look="text" inactive={busy} onClick={() => void save("csv", { kind, status, search, ...(hasCategories && { category }) })}>Download as CSV</Button>
      </div>
    </div>
  );
}
