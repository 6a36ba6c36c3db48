import { useRef, useState } from "react";
import { useSend, Form, FormFailure } from "../kit/form";
import { Select, optionsOf } from "../kit/select";
import { Button } from "../kit/button";
import { LongTextField } from "../kit/field";
import { useRead, Loaded } from "../kit/loaded";
import { declareRelations, readRelations, relationKinds, relationText } from "./api";
import type { KnownJudges, Relation } from "../lib/answer-types";

const choose = { value: "", label: "Choose" };
const nothing = { judge: "", kind: "", note: "" };

/** Judges whom the competitor knows, who then do not score their work. Nothing while the site names no judge. */
export function Relations() {
  const relations = useRead(readRelations);
  return (
    <Loaded of={relations} failed="What you told us about judges could not be loaded." isEmpty={({ judges, items }) => judges.length + items.length === 0} empty={null}>
      {(known) => <RelationForm known={known} onSaved={relations.set} />}
    </Loaded>
  );
}

function RelationForm({ known, onSaved }: { known: KnownJudges; onSaved: (known: KnownJudges) => void }) {
  // The server names the fields of the relation that was added, the last of the list.
  const { busy, errors, failure, send } = useSend({ fields: ["judge", "kind", "note"], fieldOf: (key) => key.replace(`items[${known.items.length}].`, "") });
  const [draft, setDraft] = useState(nothing);
  const [done, setDone] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  const save = async (items: Relation[]) => {
    setDone("");
    const saved = await declareRelations(items.map(({ judge, kind, note }) => ({ judge, kind, note })));
    onSaved(saved);
    return saved;
  };
  const add = () => send(async () => {
    const relation = { judge: draft.judge, kind: draft.kind as Relation["kind"], note: draft.note.trim() || null };
    const { items } = await save([...known.items, relation]);
    const isRequested = items.some(({ judge, kind, state }) => judge === relation.judge && kind === relation.kind && state === "requested");
    setDone(isRequested ? "Thank you. The organizer decides whether this judge scores your work." : `Thank you. ${relation.judge} does not score your work.`);
    setDraft(nothing);
  }, { judge: draft.judge === "" && "Please choose a judge", kind: draft.kind === "" && "Please choose how you know this judge" });
  const remove = (relation: Relation) => send(async () => {
    await save(known.items.filter((one) => one !== relation));
    setDone("Removed.");
    // The button disappears.
    title.current?.focus();
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
              {/* What the organiser has rejected stays, with the decision. */}
              {!relation.rejectedFor && <Button look="text" inactive={busy} onClick={() => remove(relation)}>Remove<span className="hidden-text"> {relationText(relation)}</span></Button>}
            </li>
          ))}
        </ul>
      )}
      {known.judges.length > 0 && (
        <Form className="portal-form" errors={errors} onSend={() => { setDone(""); void add(); }}>
          <Select label="How you know the judge" value={draft.kind} error={errors.kind} options={[choose, ...optionsOf(relationKinds)]} onChange={({ target }) => setDraft({ ...draft, kind: target.value })} />
          <Select label="Judge" value={draft.judge} error={errors.judge} options={[choose, ...known.judges.map((name) => ({ value: name, label: name }))]} onChange={({ target }) => setDraft({ ...draft, judge: target.value })} />
          <LongTextField label="In your own words" note="(optional)" rows={2} maxLength={500} value={draft.note} error={errors.note} onChange={({ target }) => setDraft({ ...draft, note: target.value })} />
          <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Tell the organizer</Button>
        </Form>
      )}
      <FormFailure>{failure}</FormFailure>
      <p role="status" className="portal-status">{done}</p>
    </section>
  );
}

/** What the organiser says to it, if it did not count at once. */
function Decision({ of: { state, rejectedFor, answer } }: { of: Relation }) {
  if (state === "requested") return <span className="line soft">The organizer decides whether this judge scores your work.</span>;
  if (!answer && !rejectedFor && state !== "rejected") return null;
  const decided = state === "rejected" ? "This judge scores your work"
    : rejectedFor ? `Of your work, this judge scores only ${rejectedFor.join(", ")}` : "This judge does not score your work";
  return <span className="line soft">{decided}.{answer && ` The organizer says: ${answer}`}</span>;
}
