import { Link } from "wouter";
import type { CategoryCount } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { Table } from "../../kit/table";
import { dollars } from "../../lib/money";
import { listPath, kindLabels } from "../shell/kinds";
import { countOf, type Summary } from "../shell/api";
import { formatCount } from "../shell/numbers";
import { paymentStatuses } from "../shell/status-mark";
import { useAdmin } from "../shell/admin-context";
import { FoldedPart } from "../shell/parts";

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

/** Entries that the count of entries leaves out, as the server does. */
const notCounted = ["failed", "abandoned"];

/** What the count of entries is made of, and what the list has beside it: "12 paid, 2 not paid yet; 1 abandoned is not counted". */
export function paymentParts(byStatus: Record<string, number>): string {
  const partsOf = (wanted: (status: string) => boolean) =>
    Object.entries(paymentStatuses).filter(([status]) => byStatus[status] && wanted(status)).map(([status, label]) => `${formatCount(byStatus[status] ?? 0)} ${label.toLowerCase()}`).join(", ");
  const counted = partsOf((status) => !notCounted.includes(status));
  const others = partsOf((status) => notCounted.includes(status));
  const count = notCounted.reduce((sum, status) => sum + (byStatus[status] ?? 0), 0);
  return [counted, others && `${others} ${count === 1 ? "is" : "are"} not counted`].filter(Boolean).join("; ");
}

/** Entries and revenue by first category, as a table whose bars are part of it. */
export function ByCategory({ categories }: { categories: CategoryCount[] }) {
  const { categoryNames } = useAdmin();
  if (categories.length === 0) return null;
  const mostEntries = Math.max(...categories.map(({ entries }) => entries));
  const mostRevenue = Math.max(1, ...categories.map(({ revenue }) => revenue));
  return (
    <FoldedPart title="Entries by category" className="by-category">
      <p className="soft">Entries in this period, by first category.</p>
      <Table
        caption="Entries by category" figures rows={categories} rowKey={({ category }) => category}
        columns={[
          { name: "category", label: "Category", cell: ({ category }) => categoryNames[category] ?? category },
          { name: "entries", label: "Entries", cell: ({ entries }) => <><Bar share={entries / mostEntries} />{entries}</> },
          { name: "paid", label: "Paid", cell: ({ paid }) => paid },
          { name: "revenue", label: "Revenue", cell: ({ revenue }) => <><Bar share={Math.max(0, revenue) / mostRevenue} />{dollars(revenue)}</> },
        ]}
      />
    </FoldedPart>
  );
}

/** The policy forbids inline styles; an SVG draws the length. */
function Bar({ share }: { share: number }) {
  return (
    <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      {share > 0 && <path d={`M0 0L${Math.max(2, share * 100)} 3L0 6z`} />}
    </svg>
  );
}
