import { useState, type FormEvent } from "react";
import { ApiError, detailOf } from "../lib/api-error";
import { Button } from "../kit/button";
import { LongTextField } from "../kit/field";
import { optionsOf, Select } from "../kit/select";
import { useBusy } from "../kit/use-busy";
import { declareRelations, type Relation, type Relations as Said } from "./api";
import { relationKinds, relationText } from "./words";

interface Props {
  said: Said;
  onSaid: (said: Said) => void;
}

const nothing = { judge: "", kind: "", note: "" };

/** Judges whom the competitor knows, who then do not score their work. */
export function Relations({ said, onSaid }: Props) {
  const { busy, run } = useBusy();
  const [draft, setDraft] = useState(nothing);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [done, setDone] = useState("");
  const send = (items: Relation[], message: string) => run(async () => {
    setErrors({});
    setDone("");
    try {
      onSaid(await declareRelations(items));
      setDraft(nothing);
      setDone(message);
    } catch (error) {
      const found = error instanceof ApiError ? error.problem.errors : undefined;
      setErrors(found ? ofLast(found, items.length - 1) : { all: detailOf(error) ?? "Nothing was saved. Please check your connection and try again." });
    }
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const missing = { ...(draft.judge === "" && { judge: "Please choose a judge" }), ...(draft.kind === "" && { kind: "Please choose how you know this judge" }) };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const relation = { judge: draft.judge, kind: draft.kind as Relation["kind"], note: draft.note.trim() || null };
    void send([...said.items, relation], `Thank you. ${draft.judge} does not score your work.`);
  };
  return (
    <section aria-labelledby="relations-title">
      <h2 id="relations-title" className="portal-part">Do you know a judge?</h2>
      <p className="portal-lead">If a judge has trained you, employs you or is related to you, please say so here. That judge does not score your work. Only the organizer reads this, never a judge.</p>
      {said.items.length > 0 && (
        <ul className="relations">
          {said.items.map((relation) => (
            <li key={`${relation.judge} ${relation.kind}`}>
              <span>{relationText(relation)}{relation.note && <span className="soft"> {relation.note}</span>}</span>
              <Button look="text" inactive={busy} onClick={() => void send(said.items.filter((one) => one !== relation), "It is removed.")}>Remove<span className="hidden-text"> {relationText(relation)}</span></Button>
            </li>
          ))}
        </ul>
      )}
      {said.judges.length > 0 && (
        <form className="portal-form" onSubmit={add} noValidate>
          <Select label="How you know the judge" value={draft.kind} error={errors.kind} options={[{ value: "", label: "Choose" }, ...optionsOf(relationKinds)]} onChange={({ target }) => setDraft({ ...draft, kind: target.value })} />
          <Select label="Judge" value={draft.judge} error={errors.judge} options={[{ value: "", label: "Choose" }, ...said.judges.map((name) => ({ value: name, label: name }))]} onChange={({ target }) => setDraft({ ...draft, judge: target.value })} />
          <LongTextField label="In your own words" note="(optional)" rows={2} maxLength={500} value={draft.note} error={errors.note} onChange={({ target }) => setDraft({ ...draft, note: target.value })} />
          <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Tell the organizer</Button>
        </form>
      )}
      {errors.all && <p role="alert" className="field-error">{errors.all}</p>}
      <p role="status" className="portal-status">{done}</p>
    </section>
  );
}

/** The server's errors of the relation that was added, by field; any other is about all. */
function ofLast(errors: Record<string, string>, last: number): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([key, message]) => {
    const field = key.startsWith(`items[${last}].`) ? key.slice(key.indexOf(".") + 1) : "all";
    return [field, message];
  }));
}
