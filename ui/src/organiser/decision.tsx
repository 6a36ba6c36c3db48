import { useId, type FormEvent } from "react";
import { detailOf } from "../api/api-error";
import type { Kind } from "../api/page";
import { request } from "../api/request";
import { toast } from "../parts/toast-store";
import type { Registration } from "./kinds";
import { forgetLists } from "./forget-lists";
import { endsSession } from "./session";
import { reviewStatuses, statusWord } from "./statuses";
import { useBusy } from "./use-busy";

interface Props {
  kind: Kind;
  record: Registration;
  onSaved: () => unknown;
}

/** What the organiser decides about a registration, and notes for colleagues. */
export function Decision({ kind, record, onSaved }: Props) {
  const id = useId();
  const { busy, run } = useBusy();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = new FormData(form);
    const status = String(answers.get("status"));
    const note = String(answers.get("note")).trim();
    const changes = { ...(status !== record.status && { status }), ...(note !== "" && { note }) };
    if (Object.keys(changes).length === 0) {
      toast({ title: "Nothing to Save", message: "Choose another status or write a note first." });
      return;
    }
    void run(async () => {
      try {
        await request(`/api/${kind}/${record.id}`, { method: "PATCH", body: changes });
        toast({ title: "Saved", message: changes.status ? `The status is now: ${statusWord(status)}.` : "The note is kept." });
        form.querySelector("textarea")!.value = "";
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
        <select id={`${id}-status`} name="status" className="input" defaultValue={record.status} autoComplete="off">
          {Object.entries(reviewStatuses).map(([value, word]) => <option key={value} value={value}>{word}</option>)}
        </select>
      </div>
      <label className="field-label" htmlFor={`${id}-note`}>Note <span className="optional-mark">(optional, never shown to the applicant)</span></label>
      <textarea id={`${id}-note`} name="note" className="input" rows={3} maxLength={10_000} autoComplete="off" />
      <button type="submit" className="button button-primary desk-button" aria-disabled={busy}>{busy ? "Saving..." : "Save decision"}</button>
    </form>
  );
}
