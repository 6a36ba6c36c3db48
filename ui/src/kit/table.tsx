import type { ReactNode, Ref } from "react";

export interface Column<Row> {
  name: string;
  label: ReactNode;
  /** The label is for screen readers only. */
  hideLabel?: boolean;
  /** Shown from this width on: "wide" is a desktop, "roomy" more than a column of very large text. Always if absent. */
  from?: "wide" | "roomy";
  sorted?: "ascending" | "descending" | undefined;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  caption: string;
  /** The cells of the first column are row headers. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  isNew?: (row: Row) => boolean;
  /** Sets digits of equal width. */
  figures?: boolean;
  /** Other rows are being loaded. */
  stale?: boolean;
  /** Hides the column headers from view. */
  headless?: boolean;
  ref?: Ref<HTMLTableElement>;
}

export function Table<Row>({ caption, columns, rows, rowKey, isNew = () => false, figures = false, stale = false, headless = false, ref }: TableProps<Row>) {
  return (
    <table ref={ref} className={figures ? "table figures" : "table"} data-stale={stale || undefined}>
      <caption className="hidden-text">{caption}</caption>
      <thead className={headless ? "table-headless" : undefined}>
        <tr>
          {columns.map(({ name, label, hideLabel, from, sorted }) => (
            <th key={name} scope="col" className={widths[from ?? "any"]} aria-sort={sorted}>{hideLabel || headless ? <span className="hidden-text">{label}</span> : label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} data-new={isNew(row) || undefined}>
            {columns.map(({ name, from, cell }, index) => index === 0
              ? <th key={name} scope="row" className={widths[from ?? "any"]}>{cell(row)}</th>
              : <td key={name} className={widths[from ?? "any"]}>{cell(row)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const widths = { any: undefined, wide: "wide-only", roomy: "roomy" } as const;
