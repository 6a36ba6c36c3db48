import { detailOf } from "../../lib/api-error";
import { post } from "../../lib/request";
import { toast } from "../../kit/toast-store";
import { useAdmin, useEventClock } from "../shell/admin-context";
import { Failure } from "../shell/failure";
import { useScheduler, type SchedulerStatus } from "./scheduler";
import { endsSession } from "../shell/session";
import { useBusy } from "../../kit/use-busy";

const switched = {
  start: { title: "Scheduler Started", message: "Automated reports are now active." },
  stop: { title: "Scheduler Stopped", message: "Automated reports are paused." },
};

/** The reports that are sent by themselves. */
export function SchedulerCard() {
  const { data: status, error, mutate } = useScheduler();
  const { busy, run } = useBusy();
  const turn = (action: keyof typeof switched) => run(async () => {
    try {
      await post(`/api/scheduler/${action}`, undefined);
      await mutate();
      toast(switched[action]);
    } catch (failure) {
      if (endsSession(failure)) return;
      toast({ title: "Error", message: detailOf(failure) ?? `There was an error trying to ${action} the scheduler. Please try again.`, tone: "destructive" });
    }
  });
  const button = (action: keyof typeof switched, label: string, off: boolean) => (
    <button type="button" className="button button-outline admin-button" aria-disabled={busy || off} onClick={() => !off && turn(action)}>{label}</button>
  );
  return (
    <article className="card">
      <h3>Automated reports</h3>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The scheduler could not be asked.</Failure>}
      {error === undefined && !status && <p className="admin-waiting">Asking the scheduler...</p>}
      {error === undefined && status && (
        <>
          <p className={status.isRunning ? "status status-moss" : "status status-soft"} role="status">
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d={status.isRunning ? "M3 2l11 6-11 6z" : "M3 2h3.500v12H3zm6.500 0H13v12H9.500z"} /></svg>
            {status.isRunning ? "Running" : "Stopped"}
          </p>
          {status.isRunning ? <Runs status={status} /> : <p className="soft">No report is sent by itself now. Once started, the daily and the weekly one come on time.</p>}
          <p className="card-buttons">
            {button("start", "Start Scheduler", status.isRunning)}
            {button("stop", "Stop Scheduler", !status.isRunning)}
          </p>
        </>
      )}
    </article>
  );
}

function Runs({ status: { nextDailyRun, lastDailyRun, nextWeeklyRun, lastWeeklyRun } }: { status: SchedulerStatus }) {
  const { timeZoneLabel } = useAdmin();
  return (
    <>
      <dl className="runs figures">
        <Run label="Next daily report" at={nextDailyRun} none="Not scheduled" />
        <Run label="Last daily report" at={lastDailyRun} none="None yet" />
        <Run label="Next weekly report" at={nextWeeklyRun} none="Not scheduled" />
        <Run label="Last weekly report" at={lastWeeklyRun} none="None yet" />
      </dl>
      <p className="soft">Times are {timeZoneLabel}.</p>
    </>
  );
}

function Run({ label, at, none }: { label: string; at: string | null; none: string }) {
  const clock = useEventClock();
  return (
    <div>
      <dt>{label}</dt>
      <dd>{at ? <time dateTime={at}>{clock.short(at)}</time> : none}</dd>
    </div>
  );
}
