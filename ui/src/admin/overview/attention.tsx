import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import type { Kind } from "../../lib/page";
import { closeForm } from "../openings/api";
import { useAction } from "../shell/use-action";
import { useAttention } from "./api";
import { EraseEdition } from "./erase-edition";

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
  const { busy, act } = useAction();
  const close = () => act(
    async () => {
      for (const kind of kinds) await closeForm(kind, "");
      await onClosed();
    },
    { title: kinds.length === 1 ? "Form Closed" : "Forms Closed", message: "Visitors can send nothing more. You can open them again under Forms." },
    "Not every form was closed. Please try again.",
  );
  return <> <Button look="text" busy={busy} busyLabel="Closing…" onClick={() => void close()}>{kinds.length === 1 ? "Close the form" : "Close all forms"}</Button></>;
}
