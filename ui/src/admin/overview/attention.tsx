import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Disclosure } from "../../kit/disclosure";
import { Loaded } from "../../kit/loaded";
import type { Kind } from "../../lib/page";
import { closeForm } from "../openings/api";
import { kindLabels } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";
import { useAttention } from "./api";
import { EraseEdition } from "./erase-edition";

/** Loaded on demand, because it is needed only once, after the event. */

/** The matters that need an organiser's attention; renders nothing if there are none. */
export function AttentionBox() {
  const attention = useAttention();
  return (
    <Loaded of={attention} failed="The list of open issues could not be loaded." isEmpty={({ items, samples, portraits }) => items.length === 0 && samples.length === 0 && portraits.length === 0}>
      {({ items, samples, portraits }) => (
        <section className="attention" aria-labelledby="attention-title">
          <h2 id="attention-title">Needs your attention</h2>
          <ul className="points">
            {items.map(({ room, path, sentence, closes, erases }) => (
              <li key={sentence}>{sentence}{path && <> <Link href={path}>{sectionName(room)}</Link></>}{closes && <CloseForms kinds={closes} onClosed={() => attention.mutate()} />}{erases && <EraseEdition />}</li>
            ))}
          </ul>
          {samples.length > 0 && <Samples keys={samples} />}
          {portraits.length > 0 && <Portraits keys={portraits} />}
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

function Samples({ keys }: { keys: string[] }) {
  return (
    <Disclosure summary={keys.length === 1 ? "One text on the site is still a placeholder" : `${keys.length} texts on the site are still placeholders`}>
      <p className="measure">Visitors see them. Replace them under <Link href="/export-data/site">Website</Link>.</p>
      <ul className="keys">{keys.map((key) => <li key={key}><code>{key}</code></li>)}</ul>
    </Disclosure>
  );
}

function Portraits({ keys }: { keys: string[] }) {
  return (
    <Disclosure summary={keys.length === 1 ? "Visitors see no face or work in one place" : `Visitors see no face or work in ${keys.length} places`}>
      <p className="measure">They see a drawing there, or nothing. Add photos under <Link href="/export-data/site">Website</Link>.</p>
      <ul className="keys">{keys.map((key) => <li key={key}><code>{key}</code></li>)}</ul>
    </Disclosure>
  );
}

const names: Record<string, string> = { ...sections, ...Object.fromEntries(Object.entries(kindLabels).map(([kind, { plural }]) => [kind, plural])) };

function sectionName(name: string): string {
  return names[name] ?? name;
}
