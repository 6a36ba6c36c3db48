import { useId, useState } from "react";
import { kinds } from "../../lib/page";
import { kindWords } from "../shell/kinds";
import { useExport, type Format } from "./use-export";

const formats: { format: Format; title: string; text: string; button: string }[] = [
  { format: "csv", title: "CSV", text: "One row per registration, for any spreadsheet or mailing list. Choose 'All' for one file.", button: "Download CSV" },
  { format: "json", title: "JSON", text: "For developers and archives.", button: "Download JSON" },
  { format: "xlsx", title: "Excel", text: "A workbook for people: a sheet for each kind, with labels, amounts and dates. Identifiers are on the last sheet.", button: "Download Excel" },
];

/** Files of the registrations: all of them, or a kind, or some days. */
export function Exports() {
  const id = useId();
  const [selection, setSelection] = useState({ kind: "", from: "", to: "" });
  const { busy, save } = useExport();
  const wrong = selection.from !== "" && selection.to !== "" && selection.from > selection.to;
  const choose = (part: Partial<typeof selection>) => setSelection({ ...selection, ...part });
  return (
    <section className="admin-part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Exports</h2>
      <div className="export-selection">
        <div>
          <label className="field-label" htmlFor={`${id}-kind`}>What</label>
          <div className="select">
            <select id={`${id}-kind`} className="input" value={selection.kind} onChange={(event) => choose({ kind: event.target.value })}>
              <option value="">All registrations</option>
              {kinds.map((kind) => <option key={kind} value={kind}>{kindWords[kind].plural}</option>)}
            </select>
          </div>
        </div>
        <div>
          <label className="field-label" htmlFor={`${id}-from`}>From <span className="optional-mark">(optional)</span></label>
          <input id={`${id}-from`} type="date" className="input" value={selection.from} onChange={(event) => choose({ from: event.target.value })} />
        </div>
        <div>
          <label className="field-label" htmlFor={`${id}-to`}>To <span className="optional-mark">(optional)</span></label>
          <input id={`${id}-to`} type="date" className="input" value={selection.to} aria-invalid={wrong || undefined} aria-describedby={`${id}-wrong`} onChange={(event) => choose({ to: event.target.value })} />
        </div>
      </div>
      <p id={`${id}-wrong`} className="field-error" role="status">{wrong && "The end date is before the start date."}</p>
      <div className="cards">
        {formats.map(({ format, title, text, button }) => (
          <article key={format} className="card">
            <h3>{title}</h3>
            <p className="soft">{text}</p>
            <button type="button" className="button button-outline admin-button" aria-disabled={busy || wrong} onClick={() => !wrong && void save(format, selection)}>{button}</button>
          </article>
        ))}
      </div>
    </section>
  );
}
