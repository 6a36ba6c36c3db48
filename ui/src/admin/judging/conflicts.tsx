import { useState, type FormEvent } from "react";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import type { Detail } from "./api";
import type { Take } from "./use-category-steps";

const sources = { computed: "Shares data", competitor: "Declared by the competitor", judge: "Declared by the judge", recused: "Recognised the work", organiser: "Set by an organiser" };

/** Which judges do not score which nominations, and why. */
export function Conflicts({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const { conflicts, panel, entries, state } = detail;
  return (
    <section className="admin-part" aria-labelledby="conflicts-title">
      <h2 id="conflicts-title">Conflicts</h2>
      {conflicts.length === 0 ? <p className="empty">No judge of this panel has a conflict.</p> : (
        <Table
          caption="Conflicts" rows={conflicts} rowKey={({ judge, code, source }) => `${judge} ${code} ${source}`}
          columns={[
            { name: "judge", label: "Judge", cell: ({ judgeName }) => judgeName },
            { name: "nomination", label: "Nomination", cell: ({ code, name }) => <><span className="figures">{code}</span><span className="row-email">{name}</span></> },
            { name: "why", label: "Why", cell: ({ source, reason }) => <>{sources[source]}{reason && <span className="row-email">{reason}</span>}</> },
          ]}
        />
      )}
      {state === "scoring" && <Add judges={[...panel.judges, ...panel.reserves]} entries={entries} busy={busy} take={take} />}
    </section>
  );
}

function Add({ judges, entries, busy, take }: { judges: Detail["panel"]["judges"]; entries: Detail["entries"]; busy: boolean; take: Take }) {
  const [judge, setJudge] = useState("");
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  const [error, setError] = useState("");
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const isWhole = judge !== "" && code !== "" && reason.trim() !== "";
    setError(isWhole ? "" : "Please choose a judge and a nomination, and give a reason");
    if (isWhole && await take({ action: "conflicts", judge: Number(judge), code, reason: reason.trim() }, { title: "Conflict Added", message: "This judge does not score that nomination." })) setReason("");
  };
  return (
    <form className="judge-form-row" noValidate onSubmit={(event) => void add(event)} aria-label="Add a conflict">
      {error && <p className="field-error" role="alert">{error}</p>}
      <Select label="Judge" value={judge} options={[{ value: "", label: "Choose" }, ...judges.map(({ id, name }) => ({ value: String(id), label: name }))]} onChange={({ target }) => setJudge(target.value)} />
      <Select label="Nomination" value={code} options={[{ value: "", label: "Choose" }, ...entries.map((entry) => ({ value: entry.code, label: `${entry.code} ${entry.name}` }))]} onChange={({ target }) => setCode(target.value)} />
      <TextField label="Reason" maxLength={300} value={reason} onChange={({ target }) => setReason(target.value)} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Add a conflict</Button>
    </form>
  );
}
