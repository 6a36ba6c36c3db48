import { Instant } from "../shell/instant";
import type { Kind } from "../../lib/page";
import type { Registration } from "../shell/kinds";
import { statusWord } from "../shell/statuses";

/** A decision or a note, and whose it was. */
interface Line {
  at: string;
  actor: string;
  from: string;
  to: string;
  note: string | null;
}

/** What organisers decided and noted, newest first. */
export function History({ kind, record }: { kind: Kind; record: Registration }) {
  const lines = record.history as Line[] | undefined;
  if (!Array.isArray(lines)) return null;
  return (
    <section className="history" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {lines.length === 0 && <p className="soft">No decisions or notes yet.</p>}
      <ol reversed>
        {lines.map(({ at, actor, from, to, note }, index) => (
          <li key={index}>
            <p className="soft"><Instant at={at} /> by {actor}</p>
            {from !== to && <p>{statusWord(from, kind)} to <strong>{statusWord(to, kind)}</strong></p>}
            {note && <p className="long-text">{note}</p>}
          </li>
        )).reverse()}
      </ol>
    </section>
  );
}
