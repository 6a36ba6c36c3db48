import useSWR from "swr";
import { Link } from "wouter";
import type { Key } from "../../lib/swr-settings";
import { Failure } from "../shell/failure";
import { kindWords } from "../shell/kinds";
import { sections } from "../shell/sections";

export const attentionKey: Key = ["/api", "attention"];

export interface Attention {
  /** The name of a section or a kind, as the API calls it; empty together with the path. */
  items: { room: string; path: string; sentence: string }[];
  /** Keys of the content that still hold a sample. */
  samples: string[];
  /** How many nobody has looked at yet, by the summary's keys; without entries, which are not decided about. */
  new?: Record<string, number>;
}

export function useAttention() {
  return useSWR<Attention, unknown>(attentionKey);
}

/** What somebody should see to; nothing where there is nothing. */
export function NeedsALook() {
  const { data, error, mutate } = useAttention();
  if (error !== undefined) return <Failure error={error} onRetry={() => mutate()}>What needs a look could not be read.</Failure>;
  if (!data || (data.items.length === 0 && data.samples.length === 0)) return null;
  return (
    <section className="needs-a-look" aria-labelledby="look-title">
      <h2 id="look-title">Needs your attention</h2>
      <ul className="points">
        {data.items.map(({ room, path, sentence }) => (
          <li key={sentence}>{sentence}{path && <> <Link href={path}>{sectionName(room)}</Link></>}</li>
        ))}
        {data.samples.length > 0 && (
          <li className="samples-point">
            <details className="samples">
              <summary>{data.samples.length === 1 ? "One part" : `${data.samples.length} parts`} of the content {data.samples.length === 1 ? "is still a sample" : "are still samples"}</summary>
              <p>Visitors see them. Replace them in the content file and take <code>sample = true</code> away: <code>showcase content export</code>, then <code>import</code>.</p>
              <ul className="keys">{data.samples.map((key) => <li key={key}><code>{key}</code></li>)}</ul>
            </details>
          </li>
        )}
      </ul>
    </section>
  );
}

const names: Record<string, string> = { ...sections, ...Object.fromEntries(Object.entries(kindWords).map(([kind, words]) => [kind, words.plural])) };

function sectionName(room: string): string {
  return names[room] ?? room;
}
