import { Link } from "wouter";
import { useEventClock } from "../shell/admin-context";
import { Instant } from "../shell/instant";
import { listPath, kindWords } from "../shell/kinds";
import { lastVisit } from "./last-visit";
import { nameOf } from "../shell/naming";
import type { Recent } from "./recent";
import { StatusMark } from "../shell/status-mark";
import { grouped } from "../shell/summary";

const shown = 8;

/** Who came last, and who since this browser was here. */
export function Latest({ recent }: { recent: Recent }) {
  const clock = useEventClock();
  const before = lastVisit();
  const isNew = (createdAt: string) => before !== undefined && Date.parse(createdAt) > before;
  const count = recent.arrivals.filter(({ record }) => isNew(record.createdAt)).length;
  const isKnown = before !== undefined && before >= recent.completeFrom;
  return (
    <section className="latest" aria-labelledby="latest-title">
      <h2 id="latest-title">Latest</h2>
      {isKnown && <p className="soft figures">{count === 0 ? "Nothing new" : `${grouped(count)} new`} since your last visit here, {clock.short(before)}.</p>}
      {recent.arrivals.length === 0 ? (
        <p className="empty">Nobody has registered yet. Whoever fills in a form stands here at once.</p>
      ) : (
        <table className="admin-table">
          <thead className="unseen-head"><tr><th scope="col"><span className="hidden-text">Name</span></th><th scope="col" className="roomy"><span className="hidden-text">Received</span></th><th scope="col"><span className="hidden-text">Status</span></th></tr></thead>
          <tbody>
            {recent.arrivals.slice(0, shown).map(({ kind, record }) => (
              <tr key={`${kind} ${record.id}`} data-new={isNew(record.createdAt) || undefined}>
                <th scope="row">
                  <Link href={`${listPath(kind)}?id=${record.id}`} className="row-link"><bdi>{nameOf(kind, record)}</bdi></Link>
                  <span className="row-email">{kindWords[kind].short}{isNew(record.createdAt) && ", new"}</span>
                </th>
                <td className="roomy"><Instant at={record.createdAt} /></td>
                <td><StatusMark status={typeof record.paymentStatus === "string" ? record.paymentStatus : record.status} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
