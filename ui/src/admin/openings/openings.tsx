import { useId, useState } from "react";
import { maxLength, object, pipe, string } from "valibot";
import { Link } from "wouter";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { AdminTitle } from "../shell/admin-title";
import { kindLabels } from "../shell/kinds";
import { sectionPath, sections } from "../shell/sections";
import { useAction, useActionForm } from "../shell/use-form";
import type { FormOpening } from "../../lib/answer-types";
import { closeForm, openForm, useOpenings, type Openings } from "./api";

/** Which forms are open, and a way to close one at once. */
export function OpeningsSection() {
  const openings = useOpenings();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.forms}</AdminTitle></header>
      <p className="measure">Close a form at once, and open it again. The dates on which forms open and close are set in <Link href={`${sectionPath("site")}?part=forms`}>Openings and forms</Link>; a form closed there stays closed.</p>
      <Loaded of={openings} loading="Loading the forms…" failed="The forms could not be loaded." keepsData>
        {({ items }) => (
          <ul className="cards">
            {items.map((opening) => <li key={opening.kind}><FormCard opening={opening} onChanged={(changed) => openings.mutate(changed, { revalidate: false })} /></li>)}
          </ul>
        )}
      </Loaded>
    </>
  );
}

interface CardProps {
  opening: FormOpening;
  /** With all forms as the server has them now, so that they need not be read again. */
  onChanged: (openings: Openings) => unknown;
}

function FormCard({ opening, onChanged }: CardProps) {
  const id = useId();
  const { busy, act } = useAction();
  const [isClosing, setClosing] = useState(false);
  const name = kindLabels[opening.kind].plural;
  const open = () => act(
    async () => {
      const changed = await openForm(opening.kind);
      onChanged(changed);
      return changed.items.find(({ kind }) => kind === opening.kind);
    },
    // Its dates may keep it closed.
    (changed) => changed && !changed.open
      ? { title: "Still Closed", message: `See “Openings and forms”. Visitors read: “${changed.message}”` }
      : { title: "Form Opened", message: `${name} can be sent again.` },
    "The form could not be opened. Please try again.",
  );
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id} className="finding-title">{name}</h2>
      <p>{opening.open ? "Open." : <>Closed. Visitors read: “{opening.message}”</>}</p>
      {opening.closedByHand && <Button look="outline" busy={busy} onClick={open}>Open again</Button>}
      {opening.open && !isClosing && <Button look="outline" onClick={() => setClosing(true)}>Close…</Button>}
      {opening.open && isClosing && <CloseForm opening={opening} onClosed={onChanged} onLeave={() => setClosing(false)} />}
    </section>
  );
}

const schema = object({ message: pipe(string(), maxLength(500, "Please use at most 500 characters.")) });

function CloseForm({ opening: { kind }, onClosed, onLeave }: { opening: FormOpening; onClosed: CardProps["onChanged"]; onLeave: () => void }) {
  const name = kindLabels[kind].plural;
  const { busy, field, submit } = useActionForm(schema, { message: "" });
  const close = submit(
    async ({ message }) => {
      onClosed(await closeForm(kind, message));
      onLeave();
    },
    { title: "Form Closed", message: `${name} are now closed.` },
    "The form could not be closed. Please try again.",
  );
  return (
    <form className="close-form" onSubmit={close}>
      <TextField label="What visitors read" note="(optional)" maxLength={500} placeholder="Entries are closed. Thank you to everyone who entered." {...field("message")} />
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Closing…">Close {name.toLowerCase()}</Button>
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
    </form>
  );
}
