import { useEffect, useRef, type ReactNode } from "react";
import { Table, type Column } from "../../kit/table";
import type { Kind } from "../../lib/page";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { amount, categoriesOf, textOf, EmailLine } from "../shell/values";
import type { FormLabels } from "../shell/form-labels";
import { Instant } from "../shell/instant";
import { kindLabels, takeOpenRecord, nameOf, type Registration } from "../shell/kinds";
import { StatusMark } from "../shell/status-mark";
import type { List } from "./api";

interface Props {
  kind: Kind;
  form: FormLabels;
  list: List;
  sort: string;
  /** Another page is being loaded. */
  stale: boolean;
}

export function ListTable({ kind, form, list, sort, stale }: Props) {
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
    const field = fields.get(column);
    const text = field ? textOf(field, record[column]) : amount(record[column]);
    return <span className="cut">{text ?? <span className="soft">&ndash;</span>}</span>;
  };
  return [
    {
      name, label: fields.get(name)?.label ?? "Name",
      cell: (record) => (
        <>
          <AddressLink to={{ id: record.id }} arrives className="row-link" data-record={record.id}><bdi>{nameOf(kind, record)}</bdi></AddressLink>
          <EmailLine email={String(record.email ?? "")} />
          {isEntry && <span className="row-email narrow-only">{categoriesOf(record, categoryNames).join(", ")}</span>}
        </>
      ),
    },
    ...columns.map((column) => ({ name: column, label: columnLabels[column] ?? fields.get(column)?.label ?? column, from: "wide" as const, cell: (record: Registration) => cellOf(column, record) })),
    { name: "createdAt", label: "Received", from: "roomy", cell: (record) => <Instant at={record.createdAt} /> },
    isEntry
      ? { name: "paymentStatus", label: "Payment", cell: (record) => <StatusMark status={String(record.paymentStatus)} /> }
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
};
