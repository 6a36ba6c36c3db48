import { useEffect, useId, useRef, type ReactNode } from "react";
import type { Kind } from "../../lib/page";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import type { FieldLabels, FormLabels } from "../shell/form-labels";
import { EmailLine } from "../shell/email-line";
import { Instant } from "../shell/instant";
import { kindWords, type Registration } from "../shell/kinds";
import { leftRecord, nameOf } from "../shell/naming";
import { StatusMark } from "../shell/status-mark";
import type { List } from "./use-list";
import { amount, categoriesOf, wordsOf } from "../shell/values";

interface Column {
  /** The field that sorts by it. */
  field: string;
  label: string;
  /** The width from which it is shown; always if absent. */
  width?: "wide-only" | "roomy";
  cell: (record: Registration) => ReactNode;
}

interface Props {
  kind: Kind;
  form: FormLabels;
  list: List;
  sort: string;
  /** Another page is being read. */
  stale: boolean;
}

export function ListTable({ kind, form, list, sort, stale }: Props) {
  const id = useId();
  const columns = useColumns(kind, form);
  const table = useRef<HTMLTableElement>(null);

  // Whoever comes back from a record goes on where they were.
  useEffect(() => {
    const left = leftRecord(kind);
    if (left !== undefined) table.current?.querySelector<HTMLElement>(`[data-record="${left}"]`)?.focus();
  }, [kind]);

  return (
    <table ref={table} className="admin-table" aria-labelledby={id} data-stale={stale || undefined}>
      <caption id={id} className="hidden-text">{kindWords[kind].plural}</caption>
      <thead>
        <tr>{columns.map((column) => <SortHeader key={column.field} column={column} sort={sort} />)}</tr>
      </thead>
      <tbody>
        {list.items.map((record) => (
          <tr key={record.id}>
            {columns.map(({ field, cell, width }, index) => index === 0
              ? <th key={field} scope="row">{cell(record)}</th>
              : <td key={field} className={width}>{cell(record)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortHeader({ column: { field, label, width }, sort }: { column: Column; sort: string }) {
  const direction = sort === field ? "ascending" : sort === `-${field}` ? "descending" : undefined;
  const next = sort === field ? `-${field}` : field;
  return (
    <th scope="col" aria-sort={direction} className={width}>
      <AddressLink to={{ sort: next === "-createdAt" ? null : next, page: null }} className="sort" data-direction={direction}>
        {label}<span className="hidden-text">: sort {next.startsWith("-") ? "downwards" : "upwards"}</span>
      </AddressLink>
    </th>
  );
}

function useColumns(kind: Kind, form: FormLabels): Column[] {
  const { categoryNames } = useAdmin();
  const words = kindWords[kind];
  const categories: Column = {
    field: "primaryCategory", label: "Categories", width: "wide-only",
    cell: (record) => <ul className="categories">{categoriesOf(record, categoryNames).map((category) => <li key={category}>{category}</li>)}</ul>,
  };
  const fields = form.sections.flatMap((section) => section.fields);
  const labelled = (name: string): FieldLabels => fields.find((field) => field.name === name) ?? { name, label: "Amount", type: "cents" };
  const ofField = (name: string): Column => {
    const field = labelled(name);
    if (name === "primaryCategory") return categories;
    const cell = (record: Registration) => (field.type === "cents" ? amount(record[name]) : wordsOf(field, record[name])) ?? <span className="soft">&ndash;</span>;
    return { field: name, label: shortLabels[name] ?? field.label, width: "wide-only", cell: (record) => <span className="cut">{cell(record)}</span> };
  };
  return [
    {
      field: words.name, label: labelled(words.name).label,
      cell: (record) => (
        <>
          <AddressLink to={{ id: record.id }} arrives className="row-link" data-record={record.id}><bdi>{nameOf(kind, record)}</bdi></AddressLink>
          <EmailLine email={String(record.email ?? "")} />
          {kind === "competition-entries" && <span className="row-email narrow-only">{categoriesOf(record, categoryNames).join(", ")}</span>}
        </>
      ),
    },
    ...words.columns.map(ofField),
    { field: "createdAt", label: "Received", width: "roomy", cell: (record) => <Instant at={record.createdAt} /> },
    kind === "competition-entries"
      ? { field: "paymentStatus", label: "Payment", cell: (record) => <StatusMark status={String(record.paymentStatus)} /> }
      : { field: "status", label: "Status", cell: (record) => <StatusMark status={record.status} kind={kind} /> },
  ];
}

/** Labels that are too long for a column. */
const shortLabels: Record<string, string> = {
  company: "Company",
  expertise: "Expertise",
  categories: "Categories",
  interest: "Interest",
  wantToCompete: "Competes",
};
