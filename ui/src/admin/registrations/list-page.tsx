import { useRef } from "react";
import { useLocation } from "wouter";
import { Loaded } from "../../kit/loaded";
import type { Kind } from "../../lib/page";
import { Button } from "../../kit/button";
import { optionsOf, Select } from "../../kit/select";
import { buttonClass } from "../../kit/button-class";
import { useShell } from "../../lib/shell-context";
import { pageIn, useAddress, addressWith, recordIn } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import type { FormLabels } from "../shell/form-labels";
import { kindLabels } from "../shell/kinds";
import { Pager } from "../shell/pager";
import { useExport } from "../exports/exports";
import { useAdmin } from "../shell/admin-context";
import { SearchField } from "../shell/search-field";
import { listedPayments, listedStatuses, statusLabel } from "../shell/status-mark";
import { AddressLink } from "../shell/address-link";
import { formatCount } from "../shell/numbers";
import { useList, type ListQuery, type List } from "./api";
import { ListTable } from "./list-table";
import { RecordPage } from "./record-page";

/** A kind's registrations: searched, filtered, sorted and paged by the server. */
function ListPage({ kind, form }: { kind: Kind; form: FormLabels }) {
  const query = useListQuery();
  const read = useList(kind, query);
  const { data: list, error, isValidating, mutate } = read;
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{kindLabels[kind].plural}</AdminTitle>
        <p role="status" className="soft figures">{list && error === undefined && countText(list, query)}</p>
      </header>
      <ListTools kind={kind} query={query} isLoading={isValidating} onRefresh={() => mutate()} />
      <div ref={top} className="list-top" />
      <Loaded
        of={read} loading="Loading the list…" failed="This list could not be loaded."
        isEmpty={({ items }) => items.length === 0} empty={<EmptyList kind={kind} query={query} />}
      >
        {(loaded) => (
          <>
            <ListTable kind={kind} form={form} list={loaded} sort={query.sort} stale={isValidating} />
            <Pager page={query.page} pages={Math.ceil(loaded.total / loaded.pageSize)} onTurn={() => top.current?.scrollIntoView()} />
          </>
        )}
      </Loaded>
    </>
  );
}

function useListQuery(): ListQuery {
  const params = useAddress();
  return {
    search: params.get("search") ?? "",
    status: params.get("status") ?? "",
    category: params.get("category") ?? "",
    sort: params.get("sort") ?? "-createdAt",
    page: pageIn(params),
  };
}

interface Props {
  kind: Kind;
  query: ListQuery;
  isLoading: boolean;
  onRefresh: () => unknown;
}

/** The search, the filters and the file of a list. */
function ListTools({ kind, query: { search, status, category }, isLoading, onRefresh }: Props) {
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

/** Why there is nothing here, and what to do next. */
function EmptyList({ kind, query: { search, status, category, page } }: { kind: Kind; query: ListQuery }) {
  const { openings, offer } = useShell();
  const { categoryNames } = useAdmin();
  const { plural, form } = kindLabels[kind];
  if (search || status || category) {
    return (
      <div className="empty">
        <p className="title">Nothing found{search && <> for &ldquo;{search}&rdquo;</>}{status && ` with the status ${statusLabel(status, kind)}`}{category && ` in ${categoryNames[category] ?? category}`}</p>
        <p className="soft">The search covers names, companies, email addresses, phone numbers and @handles, not long answers.</p>
        <AddressLink to={{ search: null, status: null, category: null, page: null }} className={buttonClass("outline")}>Show all {plural.toLowerCase()}</AddressLink>
      </div>
    );
  }
  if (page > 1) {
    return (
      <div className="empty">
        <p className="title">There is no page {page}</p>
        <AddressLink to={{ page: null }} className={buttonClass("outline")}>Go to the first page</AddressLink>
      </div>
    );
  }
  const opening = openings[kind];
  const takesNoPayments = kind === "competition-entries" && opening.open && offer === null;
  return (
    <div className="empty">
      <p className="title">No {plural.toLowerCase()} yet</p>
      {takesNoPayments ? <p className="soft">The form is open, but nobody can enter until the server takes payments.</p> : opening.open
        ? <p className="soft">The form is open. Share its address: submissions appear here as they arrive.</p>
        : <p className="soft">The form is closed{opening.message ? `: ${opening.message}` : "."}</p>}
      <a href={form} className={buttonClass("outline")}>Open the form</a>
    </div>
  );
}

type Size = Pick<List, "total" | "page" | "pageSize"> & { items: readonly unknown[] };

/** "53 total", "3 found", "51 to 53 of 53". */
export function countText({ items, total, page, pageSize }: Size, { search, status, category }: Pick<ListQuery, "search" | "status" | "category">): string {
  if (total <= pageSize || items.length === 0) return `${formatCount(total)} ${search || status || category ? "found" : "total"}`;
  const first = (page - 1) * pageSize + 1;
  return `${formatCount(first)} to ${formatCount(first + items.length - 1)} of ${formatCount(total)}`;
}

/** All registrations of a kind, or with `?id=` one of them. */
export function RegistrationsSection({ kind, form }: { kind: Kind; form: FormLabels }) {
  const id = recordIn(useAddress());
  if (id !== undefined) return <RecordPage key={id} kind={kind} form={form} id={id} />;
  return <ListPage kind={kind} form={form} />;
}
