import { mutate } from "swr";
import { Counts } from "./counts";
import { ByCategory } from "./by-category";
import { ByDay } from "./by-day";
import { useEventClock } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { Exports } from "../exports/exports";
import { Failure, Section } from "../shell/failure";
import { Latest } from "./latest";
import { NeedsALook, attentionKey } from "./attention";
import { recentKey, useRecent } from "./recent";
import { Reports } from "../reports/reports";
import { Storage, storageKey } from "./storage";
import { summaryKey, useSummary } from "../shell/summary";
import { talliesKey, useTallies } from "./tallies";

/** What the organiser sees first: how many, what is new, and the ways to take it along. */
export function OverviewSection() {
  const summary = useSummary();
  const recent = useRecent();
  const tallies = useTallies();
  const clock = useEventClock();
  const reading = summary.isValidating || recent.isValidating || tallies.isValidating;
  const refresh = () => Promise.all([summaryKey, recentKey, talliesKey, attentionKey, storageKey].map((key) => mutate(key)));
  return (
    <>
      <header className="admin-head">
        <AdminTitle>Registrations</AdminTitle>
        <p className="soft figures">
          {recent.data && <>As of {clock.short(recent.data.readAt)} </>}
          <button type="button" className="text-button" aria-disabled={reading} onClick={() => void refresh()}>{reading ? "Reading..." : "Refresh"}</button>
        </p>
      </header>
      {summary.error !== undefined
        ? <Failure error={summary.error} onRetry={() => summary.mutate()}>The counts could not be read.</Failure>
        : <Section><Counts summary={summary.data} /></Section>}
      {recent.error !== undefined && <Failure error={recent.error} onRetry={() => recent.mutate()}>The latest registrations could not be read.</Failure>}
      <Section><NeedsALook /></Section>
      {tallies.error !== undefined && <Failure error={tallies.error} onRetry={() => tallies.mutate()}>The days could not be read.</Failure>}
      {(tallies.data || recent.data) && (
        <div className="lately">
          {tallies.data && <Section><ByDay days={tallies.data.days} /></Section>}
          {recent.error === undefined && recent.data && <Section><Latest recent={recent.data} /></Section>}
          {tallies.data && <Section><ByCategory categories={tallies.data.categories} /></Section>}
        </div>
      )}
      <Section><Exports /></Section>
      <Section><Reports /></Section>
      <Section><Storage /></Section>
    </>
  );
}
