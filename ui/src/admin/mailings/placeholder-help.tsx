import type { Placeholder } from "./api";

/** The placeholders of a text, each with an explanation of its value. */
export function PlaceholderHelp({ placeholders }: { placeholders: Placeholder[] }) {
  return (
    <dl className="placeholder-help">
      {placeholders.map(({ name, placeholder, meaning }) => <div key={name}><dt><code>{placeholder}</code></dt><dd>{meaning}</dd></div>)}
    </dl>
  );
}
