import { Link } from "wouter";
import { useState } from "react";
import { literal, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { Disclosure } from "../../kit/disclosure";
import { CheckIcon } from "../../kit/icon";
import { closeForm } from "../openings/api";
import { useAction, useActionForm } from "../shell/use-form";
import { useAdmin } from "../shell/admin-context";
import { usePasswordPrompt } from "../shell/password-prompt";
import { useAttention, eraseEdition, refreshOverview, type Attention, type Steps } from "./api";
import type { Kind } from "../../lib/answer-types";

/** What needs an organiser today. */
export function AttentionBox() {
  const attention = useAttention();
  return (
    <Loaded
      of={attention} failed="The list of open issues could not be loaded."
      isEmpty={({ items }) => items.length === 0} empty={<p className="soft">Nothing needs your attention today.</p>}
    >
      {({ items }) => (
        <section className="attention" aria-labelledby="attention-title">
          <h2 id="attention-title">Needs your attention</h2>
          <ul className="attention-items">
            {items.map(({ path, sentence, closes, erases }) => (
              <li key={sentence}>{path ? <Link href={path}>{sentence}</Link> : sentence}{closes && <CloseForms kinds={closes} onClosed={() => attention.mutate()} />}{erases && <EraseEdition />}</li>
            ))}
          </ul>
        </section>
      )}
    </Loaded>
  );
}

/** Closes every form that is still open. */
function CloseForms({ kinds, onClosed }: { kinds: Kind[]; onClosed: () => unknown }) {
  const { busy, act } = useAction(onClosed);
  const close = () => act(
    async () => {
      for (const kind of kinds) await closeForm(kind, "");
    },
    { title: kinds.length === 1 ? "Form Closed" : "Forms Closed", message: "Visitors can send nothing more. You can open them again under Forms." },
    "Not every form was closed. Please try again.",
  );
  return <> <Button look="text" busy={busy} busyLabel="Closing…" onClick={() => void close()}>{kinds.length === 1 ? "Close the form" : "Close all forms"}</Button></>;
}

/** Erases the personal data of everybody, once the event's name is typed. */
function EraseEdition() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {" "}<Button look="text" aria-haspopup="dialog" onClick={() => setOpen(true)}>Erase it…</Button>
      {isOpen && <EraseDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ onClose }: { onClose: () => void }) {
  const { event } = useAdmin();
  const { confirmed, prompt } = usePasswordPrompt();
  const { busy, field, submit } = useActionForm(object({ name: pipe(string(), trim(), literal(event, `Please enter the event’s name: ${event}`)) }), { name: "" }, refreshOverview);
  const erase = submit(
    ({ name }) => confirmed(() => eraseEdition(name)).then(onClose),
    { title: "Personal Data Erased", message: "Payments are kept without the people." },
    "Not everything was erased. Please try again.",
  );
  return (
    <Dialog small title="Erase the personal data of this edition?" closeLabel="Cancel" onClose={onClose}>
      <p>Registrations, photos, releases, judges and emails are deleted. Payments are kept without the people, as the law requires. This cannot be undone.</p>
      <p>Anything that you still need, such as lists or the archive of <code>showcase edition close</code>, has to be saved before. <Link href="/export-data/backups">Backups</Link> and archives still contain the data until they are deleted.</p>
      <form className="password-prompt" onSubmit={erase} noValidate>
        <TextField label={`To confirm, enter the event’s name: ${event}`} {...field("name")} />
        <Button type="submit" busy={busy} busyLabel="Erasing…">Erase everybody</Button>
      </form>
      {prompt}
    </Dialog>
  );
}

/** What of the site is still a sample or a drawing. */
export function Placeholders({ attention: { samples, portraits } }: { attention: Attention }) {
  if (samples.length === 0 && portraits.length === 0) return null;
  return (
    <section className="first-steps" aria-labelledby="placeholders-title">
      <h2 id="placeholders-title">Placeholders on the site</h2>
      {samples.length > 0 && <Samples keys={samples} />}
      {portraits.length > 0 && <Portraits keys={portraits} />}
    </section>
  );
}

function Samples({ keys }: { keys: string[] }) {
  return (
    <Disclosure summary={keys.length === 1 ? "One text on the site is still a placeholder" : `${keys.length} texts on the site are still placeholders`}>
      <p className="measure">Visitors see them. Replace them under <Link href="/export-data/site">Website</Link>.</p>
      <Sections keys={keys} />
    </Disclosure>
  );
}

function Portraits({ keys }: { keys: string[] }) {
  return (
    <Disclosure summary={keys.length === 1 ? "Visitors see no face or work in one place" : `Visitors see no face or work in ${keys.length} places`}>
      <p className="measure">They see a drawing there, or nothing. Add photos under <Link href="/export-data/site">Website</Link>.</p>
      <Sections keys={keys} />
    </Disclosure>
  );
}

/** How many keys of the content each of its sections has: "People: 12". */
function Sections({ keys }: { keys: string[] }) {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const section = key.split(/[.[]/)[0]!.replaceAll("_", " ");
    counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  return <ul className="keys">{[...counts].map(([section, count]) => <li key={section}>{section.charAt(0).toUpperCase() + section.slice(1)}: {count}</li>)}</ul>;
}

/** The page on which each step is done. */
const places: Record<string, string> = {
  people: "/export-data/site?part=people", dates: "/export-data/site?part=facts", email: "/export-data/outbox", payment: "/export-data/payments", pictures: "/export-data/site?part=people", legal: "/export-data/site?part=legal", door: "/export-data/door",
};

/** The checklist of a new site. */
export function FirstSteps({ steps: { items, done: count, total } }: { steps: Steps }) {
  return (
    <section className="first-steps" aria-labelledby="first-steps-title">
      <div className="part-head">
        <h2 id="first-steps-title">First steps</h2>
        <p className="soft figures">{count} of {total} done</p>
      </div>
      <ol>
        {items.map(({ key, title, detail, done, view }) => (
          <li key={key} className={done ? "is-done" : undefined}>
            <span className="first-step-mark">{done && <CheckIcon />}</span>
            <div>
              <p>{done ? <>{title}<span className="hidden-text">: done</span></> : <Link href={view ? `/export-data/site?view=${view}` : places[key] ?? "/export-data/site"}>{title}</Link>}</p>
              {!done && <p className="soft">{detail}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
