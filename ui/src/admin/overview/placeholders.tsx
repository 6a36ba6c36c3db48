import { Link } from "wouter";
import { Disclosure } from "../../kit/disclosure";
import type { Attention } from "./api";

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
