import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import { check, forward, object, pipe, string } from "valibot";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { kinds } from "../../lib/page";
import { useBusy } from "../../kit/use-busy";
import { Part } from "../shell/parts";
import { kindLabels } from "../shell/kinds";
import { useValidForm } from "../shell/use-form";
import { useAdmin } from "../shell/admin-context";
import { endsSession } from "../shell/session";
import { Reports } from "../reports/reports";
import { AdminTitle } from "../shell/admin-title";
import { sections } from "../shell/sections";
import { downloadExport, type Format, type Selection } from "./api";

const formats: { format: Format; title: string; text: string; button: string }[] = [
  { format: "csv", title: "CSV", text: "One row per registration, for any spreadsheet or mailing list. Choose “All registrations” for one file.", button: "Download CSV" },
  { format: "json", title: "JSON", text: "For developers and archives.", button: "Download JSON" },
  { format: "xlsx", title: "Excel", text: "A workbook for people: a sheet for each kind, with labels, amounts and dates. Identifiers are on the last sheet.", button: "Download Excel" },
];

const schema = pipe(
  object({ kind: string(), from: string(), to: string() }),
  forward(check(({ from, to }) => from === "" || to === "" || from <= to, "The end date is before the start date."), ["to"]),
);

const kindOptions = [{ value: "", label: "All registrations" }, ...kinds.map((kind) => ({ value: kind, label: kindLabels[kind].plural }))];

/** Downloads registrations: all, one kind, or those of certain days. */
export function Exports() {
  const { control, register, trigger, handleSubmit, formState: { errors } } = useValidForm(schema, { kind: "", from: "", to: "" });
  const [from, to] = useWatch({ control, name: ["from", "to"] });
  const { busy, save } = useExport();
  // The rule covers both dates, so a change of either checks it again.
  useEffect(() => void trigger("to"), [trigger, from, to]);
  return (
    <>
      <div className="export-selection">
        <Select label="What" options={kindOptions} {...register("kind")} />
        <TextField label="From" note="(optional)" type="date" {...register("from")} />
        <TextField label="To" note="(optional)" type="date" error={errors.to?.message} {...register("to")} />
      </div>
      <div className="cards">
        {formats.map(({ format, title, text, button }) => (
          <article key={format} className="card">
            <h3>{title}</h3>
            <p className="soft">{text}</p>
            <Button look="outline" busy={busy} inactive={errors.to !== undefined} onClick={handleSubmit((selection) => save(format, selection))}>{button}</Button>
          </article>
        ))}
      </div>
    </>
  );
}

/** Downloads an export. A failure is shown by `alert()`, as the product specification requires. */
export function useExport() {
  const { fileName } = useAdmin();
  const { busy, run } = useBusy();
  const save = (format: Format, selection: Selection = {}) => run(async () => {
    try {
      await downloadExport(format, selection, `${fileName}-registrations.${format}`);
    } catch (error) {
      alert("Export failed. Please try again.");
      endsSession(error);
    }
  });
  return { busy, save };
}

/** Files of the registrations, and reports by email; the overview has the same two parts. */
export function ExportsSection() {
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.exports}</AdminTitle></header>
      <section aria-labelledby="exports-title">
        <h2 id="exports-title">Exports</h2>
        <Exports />
      </section>
      <Part title="Reports by email">
        <Reports />
      </Part>
    </>
  );
}
