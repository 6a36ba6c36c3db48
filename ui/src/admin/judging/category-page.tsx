import { ApiError } from "../../lib/api-error";
import { Loaded } from "../../kit/loaded";
import { TieOrder } from "../../portal/judge/tie-order";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/instant";
import type { Detail } from "./api";
import { Conflicts } from "./conflicts";
import { Panel } from "./panel";
import { ProgressTable } from "./progress-table";
import { Requests } from "./requests";
import { Results } from "./results";
import { Seal } from "./seal";
import { SecondLooks } from "./second-looks";
import { Severity } from "./severity";
import { StateMark } from "./state-mark";
import { useCategorySteps, type Take } from "./use-category-steps";
import { progressText } from "./words";

/** One category from its panel to its results. */
export function CategoryPage({ path }: { path: string }) {
  const { read, busy, take } = useCategorySteps(path);
  const missing = (error: unknown) => error instanceof ApiError && error.status === 404 && <p className="empty">There is no such category.</p>;
  return (
    <>
      <p className="way-back"><AddressLink to={{ of: null }} arrives>All categories</AddressLink></p>
      <header className="admin-head"><AdminTitle>{read.data?.label ?? "Category"}</AdminTitle>{read.data && <StateMark state={read.data.state} />}</header>
      <Loaded of={read} loading="Loading the category…" failed="This category could not be loaded." otherwise={(error) => missing(error) || undefined} keepsData>
        {(detail) => <Parts detail={detail} busy={busy} take={take} />}
      </Loaded>
    </>
  );
}

function Parts({ detail, busy, take }: { detail: Detail; busy: boolean; take: Take }) {
  const isScoring = detail.state === "scoring" || detail.state === "no_panel";
  return (
    <>
      <Facts detail={detail} />
      {detail.results && <Results detail={detail} />}
      <Seal detail={detail} busy={busy} take={take} />
      {isScoring && detail.ties.map(({ codes, place }) => (
        <section key={codes.join()} className="admin-part" aria-label={`Tie for place ${place}`}>
          <h2>Tie for place {place}</h2>
          <p className="measure">The head judge decides without names. Record the written decision here, or let the head judge enter it.</p>
          <TieOrder codes={codes} onSave={async (order, reason) => void await take({ action: "tie", order, reason }, { title: "Tie Broken", message: order.join(", ") })} />
        </section>
      ))}
      {detail.progress.length > 0 && <ProgressTable detail={detail} busy={busy} take={take} />}
      {isScoring && <Panel key={panelKey(detail)} detail={detail} busy={busy} take={take} />}
      {isScoring && <SecondLooks detail={detail} busy={busy} take={take} />}
      <Requests detail={detail} busy={busy} take={take} />
      <Severity detail={detail} />
      <Conflicts detail={detail} busy={busy} take={take} />
    </>
  );
}

/** A panel that was changed elsewhere is shown anew. */
function panelKey({ panel: { judges, head, reserves } }: Detail): string {
  return [judges.map(({ id }) => id), head, reserves.map(({ id }) => id)].join("/");
}

function Facts({ detail: { nominations, notReady, judges, rubric, rubricLocked, sealedAt, sealedBy, publishedAt, ...overview } }: { detail: Detail }) {
  return (
    <dl className="mail-facts">
      <div><dt>Nominations</dt><dd>{nominations} ready{notReady > 0 && `, ${notReady} not ready`}</dd></div>
      <div><dt>Judges</dt><dd>{judges}</dd></div>
      <div><dt>Progress</dt><dd className="figures">{progressText(overview) || "Not started"}</dd></div>
      <div><dt>Rubric</dt><dd>{rubric.criteria.length} criteria, {rubric.criteria.reduce((sum, { max }) => sum + max, 0)} points<br /><span className="soft">{rubricLocked ? "Locked since the first points were given" : "Open until the first points are given"}</span></dd></div>
      {sealedAt && <div><dt>Sealed</dt><dd><Instant at={sealedAt} />{sealedBy && <><br />by {sealedBy}</>}</dd></div>}
      {publishedAt && <div><dt>Published</dt><dd><Instant at={publishedAt} /></dd></div>}
    </dl>
  );
}
