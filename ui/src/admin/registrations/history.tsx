import { Instant } from "../shell/instant";
import type { Kind } from "../../lib/page";
import type { Registration } from "../shell/kinds";
import { statusLabel } from "../shell/statuses";

/** A decision or a note, and who made it. */
interface HistoryEntry {
  at: string;
  actor: string;
  from: string;
  to: string;
  note: string | null;
}

/** The organisers' decisions and notes, newest first. */
export function History({ kind, record }: { kind: Kind; record: Registration }) {
  const entries = record.history as HistoryEntry[] | undefined;
  if (!Array.isArray(entries)) return null;
  return (
    <section className="history" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {entries.length === 0 && <p className="soft">No decisions or notes yet.</p>}
      <ol reversed>
        {entries.map(({ at, actor, from, to, note }, index) => (
          <li key={index}>
            <p className="soft"><Instant at={at} /> by {actor}</p>
            {from !== to && <p>{statusLabel(from, kind)} to <strong>{statusLabel(to, kind)}</strong></p>}
            {note && <p className="long-text">{note}</p>}
          </li>
        )).reverse()}
      </ol>
    </section>
  );
}
