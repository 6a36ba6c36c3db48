import { Button } from "../../kit/button";
import { Failure, Loaded } from "../../kit/loaded";
import { Exports } from "../exports/exports";
import { Reports } from "../reports/reports";
import { useEventClock } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { useSummary } from "../shell/api";
import { FoldedPart } from "../shell/folded-part";
import { SectionBoundary } from "../shell/section-boundary";
import { refreshOverview, useAttention, useFirstSteps, useRecent, useTallies } from "./api";
import { AttentionBox, Placeholders, FirstSteps } from "./attention";
import { Counts, ByCategory } from "./counts";
import { ByDay } from "./by-day";
import { Latest } from "./latest";
import { Storage } from "./storage";

/** The start page: what needs the organiser today, the counts, the latest registrations, files and reports. */
export function OverviewSection() {
  const attention = useAttention();
  const summary = useSummary();
  const recent = useRecent();
  const tallies = useTallies();
  // If the steps cannot be loaded, the page is shown without them.
  const steps = useFirstSteps().data;
  const clock = useEventClock();
  const isLoading = summary.isValidating || recent.isValidating || tallies.isValidating;
  return (
    <>
      <header className="admin-head">
        <AdminTitle>Overview</AdminTitle>
        <p className="soft figures">
          {recent.data && <span className="as-of">As of {clock.short(recent.data.readAt)} </span>}
          <Button look="text" busy={isLoading} busyLabel="Loading…" onClick={() => void refreshOverview()}>Refresh</Button>
        </p>
      </header>
      <SectionBoundary><AttentionBox /></SectionBoundary>
      {/* All this would move down when what needs attention appears above it. */}
      {(attention.data ?? attention.error) !== undefined && (
        <>
          {summary.error !== undefined
            ? <Failure error={summary.error} onRetry={summary.mutate}>The counts could not be loaded.</Failure>
            : <SectionBoundary><Counts summary={summary.data} /></SectionBoundary>}
          {steps && steps.done < steps.total && <SectionBoundary><FirstSteps steps={steps} /></SectionBoundary>}
          <SectionBoundary>{attention.data && <Placeholders attention={attention.data} />}</SectionBoundary>
          <div className="lately">
            <SectionBoundary>
              <Loaded of={recent} failed="The latest registrations could not be loaded.">{(data) => <Latest recent={data} />}</Loaded>
            </SectionBoundary>
            <SectionBoundary>{tallies.data && tallies.error === undefined && <ByCategory categories={tallies.data.categories} />}</SectionBoundary>
            <SectionBoundary>
              <Loaded of={tallies} failed="The days could not be loaded.">{({ days }) => <ByDay days={days} />}</Loaded>
            </SectionBoundary>
          </div>
          <SectionBoundary><FoldedPart title="Exports" className="admin-part"><Exports /></FoldedPart></SectionBoundary>
          <SectionBoundary><FoldedPart title="Reports by email" className="admin-part"><Reports /></FoldedPart></SectionBoundary>
          <SectionBoundary><Storage /></SectionBoundary>
        </>
      )}
    </>
  );
}
