import { Link } from "wouter";
import { kinds } from "../../lib/page";
import { listPath, kindLabels } from "../shell/kinds";
import { countOf, type Summary } from "../shell/api";
import { formatCount } from "../shell/numbers";
import { paymentParts } from "./payment-parts";

/** How many there are of each kind, and in all. */
export function Counts({ summary }: { summary: Summary | undefined }) {
  return (
    <section aria-label="Counts">
      <dl className="counts figures" aria-busy={summary === undefined}>
        <div className="count count-total">
          <dt>Total registrations</dt>
          <dd><Figure count={summary?.totalRegistrations} /></dd>
        </div>
        {kinds.map((kind) => (
          <div key={kind} className="count">
            <dt><Link href={listPath(kind)}>{kindLabels[kind].plural}</Link></dt>
            <dd>
              <Figure count={countOf(summary, kindLabels[kind].summaryKey)} />
              {kind === "competition-entries" && <Payments byStatus={summary?.competitionEntriesByStatus} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Figure({ count }: { count: number | undefined }) {
  return <span className="count-figure">{count === undefined ? <span className="soft">&ndash;</span> : formatCount(count)}</span>;
}

function Payments({ byStatus = {} }: { byStatus: Summary["competitionEntriesByStatus"] }) {
  const parts = paymentParts(byStatus);
  return parts && <span className="count-parts">{parts}</span>;
}
