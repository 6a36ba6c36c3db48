import useSWR from "swr";
import { Link } from "wouter";
import type { Kind } from "../../lib/page";
import { request } from "../../lib/request";
import type { Key } from "../../lib/swr-settings";
import { Failure } from "../shell/failure";
import { kindWords } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";

export const attentionKey: Key = ["/api", "attention"];

export interface Attention {
  /** `closes`: forms that one button closes. The name of a section or a kind, as the API calls it; empty together with the path. */
  items: { room: string; path: string; sentence: string; closes?: Kind[] }[];
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
        {data.items.map(({ room, path, sentence, closes }) => (
          <li key={sentence}>{sentence}{path && <> <Link href={path}>{sectionName(room)}</Link></>}{closes && <CloseForms kinds={closes} onClosed={() => mutate()} />}</li>
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

/** Closes every form that is still open. */
function CloseForms({ kinds, onClosed }: { kinds: Kind[]; onClosed: () => unknown }) {
  const { busy, act } = useAction();
  const close = () => act(
    async () => {
      for (const kind of kinds) await request(`/api/openings/${kind}`, { method: "POST", body: { open: false } });
      await onClosed();
    },
    { title: kinds.length === 1 ? "Form Closed" : "Forms Closed", message: "Visitors can send nothing more. You can open them again under Forms." },
    "Not every form was closed. Please try again.",
  );
  return <> <button type="button" className="text-button" aria-disabled={busy} onClick={() => void close()}>{busy ? "Closing..." : kinds.length === 1 ? "Close the form" : "Close all forms"}</button></>;
}

const names: Record<string, string> = { ...sections, ...Object.fromEntries(Object.entries(kindWords).map(([kind, words]) => [kind, words.plural])) };

function sectionName(room: string): string {
  return names[room] ?? room;
}
