import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { useAdmin, useEventClock } from "../shell/admin-context";
import { useAction } from "../shell/use-action";
import { switchScheduler, useScheduler, type SchedulerStatus } from "./api";

const outcomes = {
  start: { title: "Scheduler Started", message: "Automated reports are now active." },
  stop: { title: "Scheduler Stopped", message: "Automated reports are paused." },
};

/** The settings of the reports that are sent automatically. */
export function SchedulerCard() {
  const scheduler = useScheduler();
  const { busy, act } = useAction();
  const turn = (action: "start" | "stop") => act(
    async () => {
      await switchScheduler(action);
      await scheduler.mutate();
    },
    outcomes[action],
    `There was an error trying to ${action} the scheduler. Please try again.`,
  );
  return (
    <article className="card">
      <h3>Automated reports</h3>
      <Loaded of={scheduler} loading="Loading the scheduler…" failed="The scheduler could not be loaded.">
        {(status) => (
          <>
            <p className={status.isRunning ? "status status-moss" : "status status-soft"} role="status">
              <svg viewBox="0 0 16 16" aria-hidden="true"><path d={status.isRunning ? "M3 2l11 6-11 6z" : "M3 2h3.5v12H3zm6.5 0H13v12H9.5z"} /></svg>
              {status.isRunning ? "Running" : "Stopped"}
            </p>
            {status.isRunning ? <Runs status={status} /> : <p className="soft">No reports are sent automatically. Start the scheduler to send the daily and weekly reports on time.</p>}
            <div className="card-buttons">
              <Button look="outline" inactive={busy || status.isRunning} onClick={() => turn("start")}>Start Scheduler</Button>
              <Button look="outline" inactive={busy || !status.isRunning} onClick={() => turn("stop")}>Stop Scheduler</Button>
            </div>
          </>
        )}
      </Loaded>
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
