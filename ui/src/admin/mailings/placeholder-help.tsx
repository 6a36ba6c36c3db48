import type { Placeholder } from "./api";

/** What can be written in a text, and what stands in its place. */
export function PlaceholderHelp({ placeholders }: { placeholders: Placeholder[] }) {
  return (
    <dl className="placeholder-help">
      {placeholders.map(({ name, placeholder, meaning }) => <div key={name}><dt><code>{placeholder}</code></dt><dd>{meaning}</dd></div>)}
    </dl>
  );
}
