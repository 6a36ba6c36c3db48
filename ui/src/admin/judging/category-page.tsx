import { useState } from "react";
import type { JudgedCategoryDetail } from "../../lib/answer-types";
import { Loaded } from "../../kit/loaded";
import { TieOrder } from "../../portal/judge/tie-order";
import { Table } from "../../kit/table";
import { Button } from "../../kit/button";
import { signed } from "../../lib/numbers";
import { SectionHead, Part } from "../shell/parts";
import { Instant } from "../shell/admin-context";
import { relationKinds } from "../nominations/api";
import { useCategorySteps, type Take } from "./api";
import { Panel, Conflicts } from "./panel";
import { Results, Seal, ProgressTable } from "./results";
import { StateMark, progressText } from "./state-mark";
import { ReasonDialog } from "./reason-dialog";

/** One category from its panel to its results. */
export function CategoryPage({ path }: { path: string }) {
  const { read, busy, take } = useCategorySteps(path);
  return (
    <>
      <SectionHead back={{ of: null }} backTo="All categories" title={read.data?.label ?? "Category"}>{read.data && <StateMark state={read.data.state} />}</SectionHead>
      <Loaded of={read} loading="Loading the category…" failed="This category could not be loaded." missing={<p className="empty">There is no such category.</p>} keepsData>
        {(detail) => <Parts detail={detail} busy={busy} take={take} />}
      </Loaded>
    </>
  );
}

function Parts({ detail, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
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
function panelKey({ panel: { judges, head, reserves } }: JudgedCategoryDetail): string {
  return [judges.map(({ id }) => id), head, reserves.map(({ id }) => id)].join("/");
}

function Facts({ detail: { nominations, notReady, judges, rubric, rubricLocked, sealedAt, sealedBy, publishedAt, ...overview } }: { detail: JudgedCategoryDetail }) {
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

/** How each judge's points differ from the panel's. For information only: the results do not depend on it. */
function Severity({ detail: { severity, state, nominations } }: { detail: JudgedCategoryDetail }) {
  if (state === "no_panel") return null;
  return (
    <Part title="How strict each judge is">
      {severity === null
        ? <p className="measure soft">{nominations < 8 ? "Shown once a category has eight nominations." : "Shown once there are confirmed sheets to compare."}</p>
        : (
          <>
            <p className="measure">Only organisers see this. A judge who is strict with everybody does not change the places. If the agreement is low, ask the judge about it.</p>
            <Table
              caption="How strict each judge is" rows={severity} rowKey={({ judge }) => judge} figures
              columns={[
                { name: "judge", label: "Judge", cell: ({ name }) => name },
                { name: "distance", label: "From the mean", cell: ({ distance }) => signed(distance) },
                { name: "spread", label: "Spread", from: "roomy", cell: ({ spread }) => spread },
                { name: "agreement", label: "Agreement", cell: ({ agreement }) => agreement === null ? "–" : signed(agreement) },
              ]}
            />
            <p className="soft">From the mean: points above or below the panel. Spread: how far apart this judge&rsquo;s points lie. Agreement: 1 is the panel&rsquo;s order, 0 is no relation to it.</p>
          </>
        )}
    </Part>
  );
}

const states = { asked: "Asked", kept: "Kept", changed: "Changed" };

/** Sheets far from the panel's median: their judges are asked to look once more. */
function SecondLooks({ detail: { secondLooks, rubric }, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  if (secondLooks.length === 0) return null;
  return (
    <Part title="Second look">
      <p className="measure">More than {rubric.secondLookPoints} points from the median of the panel. The judge sees the nomination again, without the others&rsquo; points, and keeps or changes.</p>
      <Table
        caption="Second looks" rows={secondLooks} rowKey={({ judge, code }) => `${judge} ${code}`} figures
        columns={[
          { name: "sheet", label: "Sheet", cell: ({ code, judgeName }) => <>{code}<span className="row-email">{judgeName}</span></> },
          { name: "distance", label: "From the median", cell: ({ distance }) => signed(distance) },
          {
            name: "state", label: "State",
            cell: ({ state, judge, code, judgeName, reason }) => state === "suggested"
              ? <Button look="text" inactive={busy} onClick={() => void take({ action: "second-looks", judge, code }, { title: "Asked", message: `${judgeName} looks at ${code} once more.` })}>Ask<span className="hidden-text"> {judgeName} about {code}</span></Button>
              : (
                <>
                  {states[state]}{reason && <span className="row-email">{reason}</span>}
                  {state === "asked" && <> <Button look="text" inactive={busy} onClick={() => void take({ action: "second-looks/cancel", judge, code }, { title: "Taken Back", message: `${code} of ${judgeName} is confirmed again.` })}>Take back<span className="hidden-text"> the request to {judgeName} about {code}</span></Button></>}
                </>
              ),
          },
        ]}
      />
    </Part>
  );
}

type Request = JudgedCategoryDetail["requests"][number];

/** What competitors said about judges too late for it to count at once, or about everybody who could judge them. */
function Requests({ detail: { requests }, busy, take }: { detail: JudgedCategoryDetail; busy: boolean; take: Take }) {
  const [deciding, setDeciding] = useState<{ request: Request; accepted: boolean }>();
  if (requests.length === 0) return null;
  const decide = async ({ id, judgeName, code }: Request, accepted: boolean, reason: string) => {
    const message = accepted ? `${judgeName} does not score ${code}.` : `${judgeName} scores ${code}.`;
    if (await take({ action: `relations/${id}/${accepted ? "accept" : "reject"}`, reason }, { title: accepted ? "Accepted" : "Rejected", message })) setDeciding(undefined);
  };
  const choice = (request: Request, accepted: boolean) => (
    <Button look="text" onClick={() => setDeciding({ request, accepted })}>
      {accepted ? "Accept…" : "Reject…"}<span className="hidden-text"> what {request.name} says about {request.judgeName}</span>
    </Button>
  );
  return (
    <Part title="Competitors who know a judge">
      <p className="measure">They said so after the deadline, when the judge had given points, or about everybody who could judge them. The judge scores them unless you accept it.</p>
      <Table
        caption="Requests" rows={requests} rowKey={({ id }) => id}
        columns={[
          { name: "nomination", label: "Nomination", cell: ({ code, name }) => <><span className="figures">{code}</span><span className="row-email">{name}</span></> },
          { name: "judge", label: "Judge", cell: ({ judgeName }) => judgeName },
          { name: "words", label: "What she says", cell: ({ relations }) => relations.map(({ kind, judge, note }) => <span key={kind} className="line">{relationKinds[kind]} {judge}{note && `: ${note}`}</span>) },
          { name: "actions", label: "Decision", cell: (request) => <>{choice(request, true)} {choice(request, false)}</> },
        ]}
      />
      {deciding && (
        <ReasonDialog
          title={deciding.accepted ? `Take ${deciding.request.code} from ${deciding.request.judgeName}?` : `Let ${deciding.request.judgeName} score ${deciding.request.code}?`}
          action={deciding.accepted ? "Accept" : "Reject"} busy={busy} onClose={() => setDeciding(undefined)}
          onSend={(reason) => decide(deciding.request, deciding.accepted, reason)}
        >
          <p>{deciding.request.name} reads your reason in the Artist Portal.{deciding.accepted && " Points that the judge gave do not count, and a reserve steps in."}</p>
        </ReasonDialog>
      )}
    </Part>
  );
}
