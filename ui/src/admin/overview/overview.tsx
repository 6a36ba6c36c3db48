import { Button } from "../../kit/button";
import { Failure, Loaded } from "../../kit/loaded";
import { Exports } from "../exports/exports";
import { Reports } from "../reports/reports";
import { useEventClock } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { useSummary } from "../shell/api";
import { SectionBoundary } from "../shell/section-boundary";
import { refreshOverview, useFirstSteps, useRecent, useTallies } from "./api";
import { AttentionBox } from "./attention";
import { ByCategory } from "./by-category";
import { ByDay } from "./by-day";
import { Counts } from "./counts";
import { Latest } from "./latest";
import { Storage } from "./storage";
import { FirstSteps } from "./first-steps";

// Loaded only while a step is left to do.

/** The start page: the counts, the latest registrations, files and reports. */
export function OverviewSection() {
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
        <AdminTitle>Registrations</AdminTitle>
        <p className="soft figures">
          {recent.data && <>As of {clock.short(recent.data.readAt)} </>}
          <Button look="text" busy={isLoading} busyLabel="Loading…" onClick={() => void refreshOverview()}>Refresh</Button>
        </p>
      </header>
      {summary.error !== undefined
        ? <Failure error={summary.error} onRetry={summary.mutate}>The counts could not be loaded.</Failure>
        : <SectionBoundary><Counts summary={summary.data} /></SectionBoundary>}
      <SectionBoundary><AttentionBox /></SectionBoundary>
      {steps && steps.done < steps.total && <SectionBoundary><FirstSteps steps={steps} /></SectionBoundary>}
      <div className="lately">
        <SectionBoundary>
          <Loaded of={recent} failed="The latest registrations could not be loaded.">{(data) => <Latest recent={data} />}</Loaded>
        </SectionBoundary>
        <SectionBoundary>{tallies.data && tallies.error === undefined && <ByCategory categories={tallies.data.categories} />}</SectionBoundary>
        <SectionBoundary>
          <Loaded of={tallies} failed="The days could not be loaded.">{({ days }) => <ByDay days={days} />}</Loaded>
        </SectionBoundary>
      </div>
      <SectionBoundary><Exports /></SectionBoundary>
      <SectionBoundary><Reports /></SectionBoundary>
      <SectionBoundary><Storage /></SectionBoundary>
    </>
  );
}
