import { Link } from "wouter";
import { Disclosure } from "../../kit/disclosure";
import { Loaded } from "../../kit/loaded";
import { kindLabels } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useAttention } from "./api";

/** What an organiser should see to; nothing where there is nothing. */
export function AttentionBox() {
  return (
    <Loaded of={useAttention()} failed="The list of open issues could not be loaded." isEmpty={({ items, samples }) => items.length === 0 && samples.length === 0}>
      {({ items, samples }) => (
        <section className="attention" aria-labelledby="attention-title">
          <h2 id="attention-title">Needs your attention</h2>
          <ul className="points">
            {items.map(({ room, path, sentence }) => (
              <li key={sentence}>{sentence}{path && <> <Link href={path}>{sectionName(room)}</Link></>}</li>
            ))}
          </ul>
          {samples.length > 0 && <Samples keys={samples} />}
        </section>
      )}
    </Loaded>
  );
}

function Samples({ keys }: { keys: string[] }) {
  return (
    <Disclosure summary={keys.length === 1 ? "One text on the site is still a placeholder" : `${keys.length} texts on the site are still placeholders`}>
      <p className="measure">Visitors see them. Replace them in the content file and remove <code>sample = true</code>: <code>showcase content export</code>, then <code>import</code>.</p>
      <ul className="keys">{keys.map((key) => <li key={key}><code>{key}</code></li>)}</ul>
    </Disclosure>
  );
}

const names: Record<string, string> = { ...sections, ...Object.fromEntries(Object.entries(kindLabels).map(([kind, { plural }]) => [kind, plural])) };

function sectionName(name: string): string {
  return names[name] ?? name;
}
