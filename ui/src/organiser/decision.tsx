import { useId, useState, type FormEvent } from "react";
import { detailOf } from "../api/api-error";
import type { Kind } from "../api/page";
import { request } from "../api/request";
import { toast } from "../parts/toast-store";
import { useDecisionDraft } from "./decision-draft";
import { DecisionMail } from "./decision-mail";
import { forgetLists } from "./forget-lists";
import type { Registration } from "./kinds";
import { endsSession } from "./session";
import { choosableStatuses, hasLetter, statusWord } from "./statuses";
import { useBusy } from "../parts/use-busy";

interface Props {
  kind: Kind;
  record: Registration;
  onSaved: () => unknown;
}

/** What the organiser decides about a registration, notes for colleagues, and sends to the person. */
export function Decision({ kind, record, onSaved }: Props) {
  const id = useId();
  const { busy, run } = useBusy();
  const { draft, change, saved } = useDecisionDraft(kind, record.id);
  const { status = record.status, note = "", mail = false } = draft;
  const [previewed, setPreviewed] = useState(false);
  const letter = hasLetter(record.status, status);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const changes = {
      ...(status !== record.status && { status }),
      ...(note.trim() !== "" && { note: note.trim() }),
      ...(letter && mail && { mail }),
    };
    if (Object.keys(changes).length === 0) {
      toast({ title: "Nothing to Save", message: "Choose another status or write a note first." });
      return;
    }
    void run(async () => {
      try {
        await request(`/api/${kind}/${record.id}`, { method: "PATCH", body: changes });
        const said = changes.status ? `The status is now ${statusWord(changes.status)}.` : "The note is kept.";
        toast({ title: "Saved", message: changes.mail ? `${said} The mail is on its way.` : said });
        saved();
        await Promise.all([onSaved(), forgetLists(kind)]);
      } catch (error) {
        if (endsSession(error)) return;
        toast({ title: "Error", message: detailOf(error) ?? "The decision was not saved. Please try again.", tone: "destructive" });
      }
    });
  };

  return (
    <form className="decision" aria-labelledby={`${id}-title`} onSubmit={submit}>
      <h2 id={`${id}-title`}>Decision</h2>
      <label className="field-label" htmlFor={`${id}-status`}>Status</label>
      <div className="select">
        <select id={`${id}-status`} className="input" value={status} autoComplete="off" onChange={(event) => change({ status: event.target.value })}>
          {choosableStatuses(record.status).map((value) => <option key={value} value={value}>{statusWord(value)}</option>)}
        </select>
      </div>
      {letter && (
        <>
          <label className="tick">
            <input type="checkbox" checked={mail} onChange={(event) => change({ mail: event.target.checked })} />
            <span>Send the mail for this decision</span>
          </label>
          <p><button type="button" className="text-button" aria-haspopup="dialog" onClick={() => setPreviewed(true)}>Preview the email</button></p>
        </>
      )}
      {previewed && <DecisionMail kind={kind} id={record.id} status={status} onClose={() => setPreviewed(false)} />}
      {record.status === "set_aside" && status === "new" && (
        <p className="soft">{kind === "competition-entries" ? "It is confirmed once it is paid." : "The confirmation goes out with this."}</p>
      )}
      <label className="field-label" htmlFor={`${id}-note`}>Note <span className="optional-mark">(optional, never shown to the applicant)</span></label>
      <textarea id={`${id}-note`} className="input" rows={3} maxLength={10_000} autoComplete="off" value={note} onChange={(event) => change({ note: event.target.value })} />
      <button type="submit" className="button button-primary desk-button" aria-disabled={busy}>{busy ? "Saving..." : "Save decision"}</button>
    </form>
  );
}
