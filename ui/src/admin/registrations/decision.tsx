import { useId, useRef, useState, type FormEvent } from "react";
import { detailOf } from "../../lib/api-error";
import type { Kind } from "../../lib/page";
import { request } from "../../lib/request";
import { toast } from "../../kit/toast-store";
import { useDecisionDraft } from "./decision-draft";
import { DecisionMail } from "./decision-mail";
import { forgetLists } from "./forget-lists";
import type { Registration } from "../shell/kinds";
import { endsSession } from "../shell/session";
import { choosableStatuses, statusWord } from "../shell/statuses";
import { useBusy } from "../../kit/use-busy";

interface Props {
  kind: Kind;
  record: Registration;
  onSaved: () => unknown;
}

/** What there is to decide, where it is not a decision. */
const titles: Partial<Record<Kind, string>> = { "competition-entries": "Notes", "waitlist-signups": "Invitation", "sponsor-inquiries": "Answer" };

/** What the organiser decides about a registration, notes for colleagues, and sends to the person. */
export function Decision({ kind, record, onSaved }: Props) {
  const id = useId();
  const { busy, run } = useBusy();
  const { draft, change, saved } = useDecisionDraft(kind, record.id);
  const { status = record.status, note = "", line = "" } = draft;
  const [previewed, setPreviewed] = useState(false);
  const saveButton = useRef<HTMLButtonElement>(null);
  const statuses = choosableStatuses(kind, record.status);
  const hasLetter = Array.isArray(record.letters) && record.letters.includes(status);

  const save = (mail: boolean) => {
    const changes = {
      ...(status !== record.status && { status }),
      ...(note.trim() !== "" && { note: note.trim() }),
      // A status that was given before is named again, so that its email is this one's.
      ...(mail && { status, mail, ...(line.trim() !== "" && { personalLine: line.trim() }) }),
    };
    if (Object.keys(changes).length === 0) {
      toast({ title: "Nothing to Save", message: statuses.length > 0 ? "Choose another status or write a note first." : "Write a note first." });
      return;
    }
    void run(async () => {
      try {
        await request(`/api/${kind}/${record.id}`, { method: "PATCH", body: changes });
        const message = changes.status ? `The status is now ${statusWord(changes.status, kind)}.` : "The note is kept.";
        toast({ title: "Saved", message: mail ? `${message} The email is on its way.` : message });
        saved();
        setPreviewed(false);
        await Promise.all([onSaved(), forgetLists(kind)]);
        // The button that opened the preview is gone once the email is sent.
        if (mail) saveButton.current?.focus();
      } catch (error) {
        // The notification would stand behind the dialog; the line is kept.
        setPreviewed(false);
        if (endsSession(error)) return;
        toast({ title: "Error", message: detailOf(error) ?? "The decision was not saved. Please try again.", tone: "destructive" });
      }
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(false);
  };

  return (
    <>
      <form className="decision" aria-labelledby={`${id}-title`} onSubmit={submit}>
        <h2 id={`${id}-title`}>{titles[kind] ?? "Decision"}</h2>
        {statuses.length > 0 && (
          <>
            <label className="field-label" htmlFor={`${id}-status`}>Status</label>
            <div className="select">
              <select id={`${id}-status`} className="input" value={status} autoComplete="off" onChange={(event) => change({ status: event.target.value })}>
                {statuses.map((value) => <option key={value} value={value}>{statusWord(value, kind)}</option>)}
              </select>
            </div>
          </>
        )}
        {record.status === "set_aside" && status === "new" && (
          <p className="soft">{kind === "competition-entries" ? "It is confirmed once it is paid." : "The confirmation goes out with this."}</p>
        )}
        <label className="field-label" htmlFor={`${id}-note`}>Note <span className="optional-mark">(optional, never shown to the applicant)</span></label>
        <textarea id={`${id}-note`} className="input" rows={3} maxLength={10_000} autoComplete="off" value={note} onChange={(event) => change({ note: event.target.value })} />
        {hasLetter && <button type="button" className="button button-primary admin-button" aria-haspopup="dialog" onClick={() => setPreviewed(true)}>Preview and send...</button>}
        <button ref={saveButton} type="submit" className={`button ${hasLetter ? "button-outline" : "button-primary"} admin-button`} aria-disabled={busy}>
          {busy ? "Saving..." : hasLetter ? "Save without an email" : statuses.length > 0 ? "Save decision" : "Save note"}
        </button>
      </form>
      {previewed && (
        <DecisionMail
          kind={kind} id={record.id} status={status} line={line} busy={busy}
          onLine={(line) => change({ line })} onSend={() => save(true)} onClose={() => setPreviewed(false)}
        />
      )}
    </>
  );
}
