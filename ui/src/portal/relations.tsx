import { useEffect, useRef, useState, type FormEvent } from "react";
import { ApiError, detailOf } from "../lib/api-error";
import { Button } from "../kit/button";
import { Field, LongTextField } from "../kit/field";
import { Failure } from "../kit/loaded";
import { useBusy } from "../kit/use-busy";
import { declareRelations, readRelations, relationKinds, relationText, type KnownJudges, type Relation } from "./api";

const nothing = { judge: "", kind: "", note: "" };

/** Judges whom the competitor knows, who then do not score their work. Nothing while the site names no judge. */
export function Relations() {
  const [known, setKnown] = useState<KnownJudges>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    readRelations().then(setKnown, setError);
  };
  useEffect(load, []);
  if (error !== undefined) return <Failure error={error} onRetry={load}>What you told us about judges could not be loaded.</Failure>;
  if (!known || known.judges.length + known.items.length === 0) return null;
  return <Form known={known} onSaved={setKnown} />;
}

function Form({ known, onSaved }: { known: KnownJudges; onSaved: (known: KnownJudges) => void }) {
  const { busy, run } = useBusy();
  const [draft, setDraft] = useState(nothing);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [done, setDone] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus(), [errors]);
  const save = async (items: Relation[], message: (saved: KnownJudges) => string) => {
    setErrors({});
    setDone("");
    try {
      const saved = await declareRelations(items.map(({ judge, kind, note }) => ({ judge, kind, note })));
      onSaved(saved);
      setDone(message(saved));
      return true;
    } catch (error) {
      const found = error instanceof ApiError ? error.problem.errors : undefined;
      setErrors(found ? ofLast(found, items.length - 1) : { all: detailOf(error) ?? "Nothing was saved. Please check your connection and try again." });
      return false;
    }
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    const missing = { ...(draft.judge === "" && { judge: "Please choose a judge" }), ...(draft.kind === "" && { kind: "Please choose how you know this judge" }) };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const relation = { judge: draft.judge, kind: draft.kind as Relation["kind"], note: draft.note.trim() || null };
    void run(async () => {
      const thanks = ({ items }: KnownJudges) => {
        const isSent = items.some(({ judge, kind, state }) => judge === relation.judge && kind === relation.kind && state === "requested");
        return isSent ? "Thank you. The organizer decides whether this judge scores your work." : `Thank you. ${relation.judge} does not score your work.`;
      };
      if (await save([...known.items, relation], thanks)) setDraft(nothing);
    });
  };
  const remove = (relation: Relation) => run(async () => {
    // The button disappears.
    if (await save(known.items.filter((one) => one !== relation), () => "Removed.")) title.current?.focus();
  });
  return (
    <section aria-labelledby="relations-title">
      <h2 ref={title} id="relations-title" className="portal-part" tabIndex={-1}>Do you know a judge?</h2>
      <p className="portal-lead">If a judge has trained you, employs you or is related to you, please say so here. That judge does not score your work; after the deadline, or once the judge has given points, the organizer decides. Only the organizer reads this, never a judge.</p>
      {known.items.length > 0 && (
        <ul className="relations">
          {known.items.map((relation) => (
            <li key={`${relation.judge} ${relation.kind}`}>
              <span>{relationText(relation)}{relation.note && <span className="soft"> {relation.note}</span>}<Decision of={relation} /></span>
              <Button look="text" inactive={busy} onClick={() => void remove(relation)}>Remove<span className="hidden-text"> {relationText(relation)}</span></Button>
            </li>
          ))}
        </ul>
      )}
      {known.judges.length > 0 && (
        <form ref={form} className="portal-form" onSubmit={add} noValidate>
          <Choice label="How you know the judge" value={draft.kind} error={errors.kind} options={Object.entries(relationKinds)} onChoose={(kind) => setDraft({ ...draft, kind })} />
          <Choice label="Judge" value={draft.judge} error={errors.judge} options={known.judges.map((name) => [name, name])} onChoose={(judge) => setDraft({ ...draft, judge })} />
          <LongTextField label="In your own words" note="(optional)" rows={2} maxLength={500} value={draft.note} error={errors.note} onChange={({ target }) => setDraft({ ...draft, note: target.value })} />
          <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Tell the organizer</Button>
        </form>
      )}
      {errors.all && <p role="alert" className="field-error">{errors.all}</p>}
      <p role="status" className="portal-status">{done}</p>
    </section>
  );
}

/** What the organiser says to it, if it did not count at once. */
function Decision({ of: { state, answer } }: { of: Relation }) {
  if (state === "requested") return <span className="line soft">The organizer decides whether this judge scores your work.</span>;
  if (!answer) return null;
  return <span className="line soft">{state === "rejected" ? "This judge scores your work" : "This judge does not score your work"}. The organizer says: {answer}</span>;
}

interface ChoiceProps {
  label: string;
  value: string;
  error: string | undefined;
  /** Values and labels. */
  options: [string, string][];
  onChoose: (value: string) => void;
}

/** Like the kit's select, which would add its code to the judges' page and the release. */
function Choice({ label, value, error, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className="select">
          <select autoComplete="off" {...control} value={value} onChange={({ target }) => onChoose(target.value)}>
            <option value="">Choose</option>
            {options.map(([name, text]) => <option key={name} value={name}>{text}</option>)}
          </select>
        </div>
      )}
    </Field>
  );
}

/** The server's errors for the relation that was added, by field. Any other error concerns the whole list. */
function ofLast(errors: Record<string, string>, last: number): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([key, message]) => {
    const field = key.startsWith(`items[${last}].`) ? key.slice(key.indexOf(".") + 1) : "all";
    return [field, message];
  }));
}
