import { useState } from "react";
import { nonEmpty, object, picklist, pipe, string, transform, trim } from "valibot";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { useValidForm } from "../shell/use-valid-form";
import type { Detail } from "./api";
import { ReasonDialog } from "./reason-dialog";
import type { Take } from "./use-category-steps";

type Row = Omit<Detail["conflicts"][number], "source"> & { source: keyof typeof sources };

const sources = { computed: "Shares data", competitor: "Declared by the competitor", judge: "Declared by the judge", recused: "Recognised the work", organiser: "Set by an organiser", abstained: "Abstained" };

/** The conflicts, and the abstentions, which are a state of the judge's sheet alone. */
export function conflictRows({ conflicts, progress, entries }: Pick<Detail, "conflicts" | "progress" | "entries">): Row[] {
  const abstentions = progress.flatMap(({ judge, name: judgeName, sheets }) => sheets.filter(({ state }) => state === "abstained").map(({ code, reason }): Row => ({
    judge, judgeName, code, name: entries.find((entry) => entry.code === code)?.name ?? "", source: "abstained", reason: reason ?? "",
  })));
  return [...conflicts, ...abstentions.filter(({ judge, code }) => !conflicts.some((one) => one.judge === judge && one.code === code))];
}

/** Which judges do not score which nominations, and why. */
export function Conflicts({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const [removing, setRemoving] = useState<Row>();
  const { panel, entries, state } = detail;
  const members = [...panel.judges, ...panel.reserves];
  const rows = conflictRows(detail);
  const isRemovable = ({ judge }: Row) => state === "scoring" && members.some(({ id }) => id === judge);
  const remove = async ({ judge, judgeName, code }: Row, reason: string) => {
    const isRemoved = await take({ action: "conflicts/remove", judge, code, reason }, { title: "Removed", message: `${judgeName} scores ${code} after all.` });
    if (isRemoved) setRemoving(undefined);
  };
  return (
    <section className="admin-part" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">Conflicts and abstentions</h2>
      {rows.length === 0 ? <p className="empty">No judge of this panel has a conflict or has abstained.</p> : (
        <Table
          caption="Conflicts" rows={rows} rowKey={({ judge, code, source }) => `${judge} ${code} ${source}`}
          columns={[
            { name: "judge", label: "Judge", cell: ({ judgeName }) => judgeName },
            { name: "nomination", label: "Nomination", cell: ({ code, name }) => <><span className="figures">{code}</span><span className="row-email">{name}</span></> },
            { name: "why", label: "Why", cell: ({ source, reason }) => <>{sources[source]}{reason && <span className="row-email">{reason}</span>}</> },
            ...(rows.some(isRemovable) ? [{
              name: "actions", label: "Actions", hideLabel: true,
              cell: (row: Row) => isRemovable(row) && <Button look="text" onClick={() => setRemoving(row)}>Remove…<span className="hidden-text"> {row.judgeName} and {row.code}</span></Button>,
            }] : []),
          ]}
        />
      )}
      {removing && (
        <ReasonDialog
          title={`Let ${removing.judgeName} score ${removing.code}?`} action="Remove" busy={busy} onClose={() => setRemoving(undefined)}
          onSend={(reason) => remove(removing, reason)}
        >
          <p>The sheet comes back as it was, with its points, and is not confirmed. A reserve who stepped in and has not begun gives back their sheet. One who has begun keeps it, and both sheets count.</p>
          {removing.source === "competitor" && <p>What the competitor declared about this judge is deleted.</p>}
        </ReasonDialog>
      )}
      {state === "scoring" && <Add judges={members} entries={entries} busy={busy} take={take} />}
    </section>
  );
}

function Add({ judges, entries, busy, take }: { judges: Detail["panel"]["judges"]; entries: Detail["entries"]; busy: boolean; take: Take }) {
  const schema = object({
    judge: pipe(picklist(judges.map(({ id }) => String(id)), "Please choose a judge"), transform(Number)),
    code: picklist(entries.map(({ code }) => code), "Please choose a nomination"),
    reason: pipe(string(), trim(), nonEmpty("Please give a reason")),
  });
  const { register, handleSubmit, resetField, formState: { errors } } = useValidForm(schema, { judge: "", code: "", reason: "" });
  const add = handleSubmit(async (conflict) => {
    if (await take({ action: "conflicts", ...conflict }, { title: "Conflict Added", message: "This judge does not score that nomination." })) resetField("reason");
  });
  return (
    <form className="judge-form-row" noValidate onSubmit={(event) => void add(event)} aria-label="Add a conflict">
      <Select label="Judge" error={errors.judge?.message} options={[{ value: "", label: "Choose" }, ...judges.map(({ id, name }) => ({ value: String(id), label: name }))]} {...register("judge")} />
      <Select label="Nomination" error={errors.code?.message} options={[{ value: "", label: "Choose" }, ...entries.map((entry) => ({ value: entry.code, label: `${entry.code} ${entry.name}` }))]} {...register("code")} />
      <TextField label="Reason" maxLength={300} error={errors.reason?.message} {...register("reason")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Add a conflict</Button>
    </form>
  );
}
