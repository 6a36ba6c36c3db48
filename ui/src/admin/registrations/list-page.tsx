import { useRef, useEffect, type ReactNode } from "react";
import { Button, buttonClass } from "../../kit/button";
import { optionsOf, Select } from "../../kit/select";
import type { Kind } from "../../lib/answer-types";
import { useShell } from "../../lib/shell-context";
import { Table, type Column } from "../../kit/table";
import { useFilters, PagedList, Refresh } from "../shell/list";
import { useAddress, recordIn, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { kindLabels, takeOpenRecord, nameOf, type FormLabels, type Registration } from "../shell/kinds";
import { useExport } from "../exports/exports";
import { useAdmin, Instant } from "../shell/admin-context";
import { SearchField } from "../shell/search";
import { listedPayments, listedStatuses, statusLabel, StatusMark } from "../shell/status-mark";
import { formatCount } from "../shell/numbers";
import { amount, categoriesOf, textOf, EmailLine } from "../shell/values";
import { pageSize, useList, type ListQuery, type List } from "./api";
import { RecordPage } from "./record-page";

/** A kind's registrations: searched, filtered, sorted and paged by the server. */
function ListPage({ kind, form }: { kind: Kind; form: FormLabels }) {
  const { filter, page, show } = useFilters("search", "status", "category", "sort");
  const query = { ...filter, sort: filter.sort || "-createdAt", page };
  const read = useList(kind, query);
  const { data: list, error, isValidating } = read;
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{kindLabels[kind].plural}</AdminTitle>
        <p role="status" className="soft figures">{list && error === undefined && countText(list, query)}</p>
      </header>
      <ListTools kind={kind} query={query} show={show} refresh={<Refresh of={read} />} />
      <PagedList of={read} page={page} pageSize={pageSize} loading="Loading the list…" failed="This list could not be loaded." empty={<EmptyList kind={kind} query={query} />}>
        {(loaded) => <ListTable kind={kind} form={form} list={loaded} sort={query.sort} stale={isValidating} />}
      </PagedList>
    </>
  );
}

interface Props {
  kind: Kind;
  query: ListQuery;
  show: (changes: { search?: string; status?: string; category?: string }) => void;
  refresh: ReactNode;
}

/** The search, the filters and the file of a list. */
function ListTools({ kind, query: { search, status, category }, show, refresh }: Props) {
  const { busy, save } = useExport();
  const { categoryNames } = useAdmin();
  const hasCategories = kind === "competition-entries";
  const statuses = hasCategories
    ? [{ label: "Payment", options: optionsOf(listedPayments) }, { label: "Screening", options: optionsOf(listedStatuses(kind)) }]
    : optionsOf(listedStatuses(kind));
  return (
    <div className={hasCategories ? "list-tools list-tools-wide" : "list-tools"}>
      <SearchField label="Search names, companies, email, phone or @handle" search={search} onSearch={(text) => show({ search: text })} />
      <Select label="Status" value={status} options={[{ value: "", label: "All except spam" }, ...statuses]} onChange={(event) => show({ status: event.target.value })} />
      {hasCategories && (
        <Select label="Category" value={category} options={[{ value: "", label: "All categories" }, ...optionsOf(categoryNames)]} onChange={(event) => show({ category: event.target.value })} />
      )}
      <div className="list-actions">
        {refresh}
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

interface ListTableProps {
  kind: Kind;
  form: FormLabels;
  list: List;
  sort: string;
  /** Another page is being loaded. */
  stale: boolean;
}

export function ListTable({ kind, form, list, sort, stale }: ListTableProps) {
  const { categoryNames } = useAdmin();
  const table = useRef<HTMLTableElement>(null);

  // On return from a record, its row gets the focus.
  useEffect(() => {
    const left = takeOpenRecord(kind);
    if (left !== undefined) table.current?.querySelector<HTMLElement>(`[data-record="${left}"]`)?.focus();
  }, [kind]);

  const columns = columnsOf(kind, form, categoryNames).map((column) => sortable(column, sort));
  return <Table ref={table} caption={kindLabels[kind].plural} columns={columns} rows={list.items} rowKey={({ id }) => id} stale={stale} />;
}

/** A column whose label sorts by it: ascending first, then descending. */
function sortable(column: Column<Registration>, sort: string): Column<Registration> {
  const { name, label } = column;
  const sorted = sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined;
  const next = sort === name ? `-${name}` : name;
  const link = (
    <AddressLink to={{ sort: next === "-createdAt" ? null : next, page: null }} className="sort" data-direction={sorted}>
      {label}<span className="hidden-text">: sort {next.startsWith("-") ? "descending" : "ascending"}</span>
    </AddressLink>
  );
  return { ...column, sorted, label: link };
}

/** The columns of a kind's list: name and email, the kind's own, the date of receipt, and the status. A column's name is also its sort key. */
function columnsOf(kind: Kind, form: FormLabels, categoryNames: Record<string, string>): Column<Registration>[] {
  const { name, columns } = kindLabels[kind];
  const isEntry = kind === "competition-entries";
  const fields = new Map(form.sections.flatMap((section) => section.fields).map((field) => [field.name, field]));
  const cellOf = (column: string, record: Registration): ReactNode => {
    if (column === "primaryCategory") return <ul className="categories">{categoriesOf(record, categoryNames).map((category) => <li key={category}>{category}</li>)}</ul>;
    if (column === "paidAt") return paidOn(record) ?? <span className="soft">&ndash;</span>;
    const field = fields.get(column);
    const text = field ? textOf(field, record[column]) : amount(record[column]);
    return <span className="cut">{text ?? <span className="soft">&ndash;</span>}</span>;
  };
  return [
    {
      name, label: fields.get(name)?.label ?? "Name",
      cell: (record) => (
        <>
          <AddressLink to={{ id: record.id }} focusTitle className="row-link" data-record={record.id}><bdi>{nameOf(kind, record)}</bdi></AddressLink>
          <EmailLine email={String(record.email ?? "")} />
          {isEntry && <span className="row-email narrow-only">{categoriesOf(record, categoryNames).join(", ")}</span>}
        </>
      ),
    },
    ...columns.map((column) => ({ name: column, label: columnLabels[column] ?? fields.get(column)?.label ?? column, from: "wide" as const, cell: (record: Registration) => cellOf(column, record) })),
    { name: "createdAt", label: "Received", from: "roomy", cell: (record) => <Instant at={record.createdAt} /> },
    isEntry
      ? { name: "paymentStatus", label: "Payment", cell: (record) => <><StatusMark status={String(record.paymentStatus)} /><span className="row-email narrow-only">{paidOn(record)}</span></> }
      : { name: "status", label: "Status", cell: (record) => <StatusMark status={record.status} kind={kind} /> },
  ];
}

/** Labels for fields whose own label is too long for a column, and for columns that are not a form's field. */
const columnLabels: Record<string, string> = {
  company: "Company",
  expertise: "Expertise",
  categories: "Categories",
  primaryCategory: "Categories",
  interest: "Interest",
  wantToCompete: "Competes",
  paymentAmount: "Amount",
  paidAt: "Paid on",
};

function paidOn({ paidAt }: Registration): ReactNode {
  return typeof paidAt === "string" ? <Instant at={paidAt} /> : undefined;
}
