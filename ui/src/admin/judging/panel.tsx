import { picklist, pipe, record, string, transform, nonEmpty, object, trim, type InferInput } from "valibot";
import { useState } from "react";
import type { Judge, JudgedCategoryDetail } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Select } from "../../kit/select";
import { TextField } from "../../kit/field";
import { Table } from "../../kit/table";
import { Part } from "../shell/parts";
import { useValidForm } from "../shell/use-form";
import { useJudges, type Take } from "./api";
import { ReasonDialog } from "./reason-dialog";

const options = [{ value: "", label: "Not on this panel" }, { value: "judge", label: "Judge" }, { value: "head", label: "Head judge" }, { value: "reserve", label: "Reserve" }];

/** Who scores this category. */
export function Panel({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  const read = useJudges();
  return (
    <Part title="Panel">
      <p className="measure">Every judge of the panel scores every nomination of the category. A reserve steps in where a judge has a conflict.</p>
      <Loaded of={read} loading="Loading the judges…" failed="The judges could not be loaded." keepsData isEmpty={({ items }) => withFormer(items, detail.panel).length === 0} empty={<p className="empty">No judge is invited yet.</p>}>
        {({ items }) => <RolesForm judges={withFormer(items, detail.panel)} panel={detail.panel} busy={busy} take={take} />}
      </Loaded>
    </Part>
  );
}

/** All judges, with members of the panel who were removed or erased since: they can stay, because their scores may count. */
function withFormer(judges: Named[], panel: JudgedCategoryDetail["panel"]): Named[] {
  const isFormer = ({ id }: Named) => !judges.some((judge) => judge.id === id);
  return [...judges, ...[...panel.judges, ...panel.reserves].filter(isFormer)];
}

type Named = Pick<Judge, "id" | "name">;

function RolesForm({ judges, panel, busy, take }: { judges: Named[]; panel: JudgedCategoryDetail["panel"]; busy: boolean; take: Take }) {
  const ids = judges.map(({ id }) => String(id));
  const { register, handleSubmit, setError, formState: { errors } } = useValidForm(panelSchema, rolesOf(panel, judges));
  const save = handleSubmit(({ judges: chosen, heads: [head, second], reserves }) => {
    if (head === undefined) return setError(String(judges[0]?.id), { message: "Please choose the head judge" }, { shouldFocus: true });
    if (second !== undefined) return setError(String(second), { message: "There is one head judge in a category" }, { shouldFocus: true });
    void take({ action: "panel", judges: chosen, head, reserves }, { title: "Panel Saved", message: "Its judges see the nominations now." });
  });
  return (
    <form className="panel-form" noValidate onSubmit={(event) => void save(event)}>
      <div className="panel-roles">
        {judges.map(({ id, name }) => <Select key={id} label={name} options={options} error={errors[id]?.message} {...register(String(id), { deps: ids })} />)}
      </div>
      <Button type="submit" busy={busy} busyLabel="Saving…">Save the panel</Button>
    </form>
  );
}

const rolesSchema = record(string(), picklist(["", "judge", "head", "reserve"]));

/** The role of each judge, by the judge's number. An empty role: not on this panel. */
type Roles = InferInput<typeof rolesSchema>;

/** The numbers of the judges with each role. The head judges are among the judges, as the server takes them. */
export const panelSchema = pipe(rolesSchema, transform((chosen) => ({
  judges: judgesWith(chosen, "judge", "head"), heads: judgesWith(chosen, "head"), reserves: judgesWith(chosen, "reserve"),
})));

/** The roles on a panel, for all judges. */
export function rolesOf({ judges, head, reserves }: JudgedCategoryDetail["panel"], all: { id: number }[]): Roles {
  const members = judges.map(({ id }) => [id, id === head ? "head" : "judge"] as const);
  return Object.fromEntries([...all.map(({ id }) => [id, ""] as const), ...members, ...reserves.map(({ id }) => [id, "reserve"] as const)]);
}

function judgesWith(chosen: Roles, ...wanted: Roles[string][]): number[] {
  return Object.entries(chosen).filter(([, role]) => wanted.includes(role)).map(([id]) => Number(id));
}

type Row = Omit<JudgedCategoryDetail["conflicts"][number], "source"> & { source: keyof typeof sources };

const sources = { computed: "Shares data", competitor: "Declared by the competitor", judge: "Declared by the judge", recused: "Recognised the work", organiser: "Set by an organiser", abstained: "Abstained" };

/** The conflicts, and the abstentions, which are a state of the judge's sheet alone. */
export function conflictRows({ conflicts, progress, entries }: Pick<JudgedCategoryDetail, "conflicts" | "progress" | "entries">): Row[] {
  const abstentions = progress.flatMap(({ judge, name: judgeName, sheets }) => sheets.filter(({ state }) => state === "abstained").map(({ code, reason }): Row => ({
    judge, judgeName, code, name: entries.find((entry) => entry.code === code)?.name ?? "", source: "abstained", reason: reason ?? "",
  })));
  return [...conflicts, ...abstentions.filter(({ judge, code }) => !conflicts.some((one) => one.judge === judge && one.code === code))];
}

/** Which judges do not score which nominations, and why. */
export function Conflicts({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
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
    <Part title="Conflicts and abstentions">
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
          {removing.source === "competitor" && <p>What the competitor declared about this judge no longer counts for this nomination.</p>}
        </ReasonDialog>
      )}
      {state === "scoring" && <Add judges={members} entries={entries} busy={busy} take={take} />}
    </Part>
  );
}

function Add({ judges, entries, busy, take }: { judges: JudgedCategoryDetail["panel"]["judges"]; entries: JudgedCategoryDetail["entries"]; busy: boolean; take: Take }) {
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
