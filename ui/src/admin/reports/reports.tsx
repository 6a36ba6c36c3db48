import { useWatch } from "react-hook-form";
import { boolean, object, picklist } from "valibot";
import { useState } from "react";
import { Button } from "../../kit/button";
import { Select } from "../../kit/select";
import { Switch } from "../../kit/checkbox";
import { toast } from "../../kit/toast-store";
import type { SchedulerStatus } from "../../lib/answer-types";
import { detailOf } from "../../lib/api-error";
import { Loaded } from "../../kit/loaded";
import { useValidForm, useAction } from "../shell/use-form";
import { useAdmin, useEventClock } from "../shell/admin-context";
import { timeOfDay, weeklyTime } from "../shell/event-time";
import { sendReport, sendExport, useScheduler, switchScheduler, type Cadence, type Outcome } from "./api";

/** Reports by email: by hand, on demand, and automatically. */
export function Reports() {
  return (
    <div className="cards">
      <ReportCard cadence="daily" />
      <ReportCard cadence="weekly" />
      <NotificationCard />
      <SchedulerCard />
      <InformationCard />
    </div>
  );
}

const reports = {
  daily: { word: "Daily", text: "Yesterday in numbers and names, sent to the organiser's mailbox now." },
  weekly: { word: "Weekly", text: "The past seven days in numbers and names, sent to the organiser's mailbox now." },
};

/** Sends a report by hand. */
function ReportCard({ cadence }: { cadence: Cadence }) {
  const { word, text } = reports[cadence];
  const { busy, refusal, send } = useSendReport({
    sent: { title: `${word} Report Sent`, message: `The ${cadence} report is in the organiser's mailbox.` },
    queued: `${word} Report Queued`,
    failed: { title: "Failed to Send Report", message: `There was an error sending the ${cadence} report. Please try again.` },
  });
  return (
    <article className="card">
      <h3>{word} report</h3>
      <p className="soft">{text}</p>
      {refusal && <p className="field-error">{refusal}</p>}
      <Button look="outline" busy={busy} busyLabel="Sending…" onClick={() => send(() => sendReport(cadence))}>Send {word} Report</Button>
    </article>
  );
}

const schema = object({ period: picklist(["daily", "weekly"]), includeCSV: boolean() });
const periods = [{ value: "daily", label: "Daily: yesterday" }, { value: "weekly", label: "Weekly: the past seven days" }];

/** Sends a report on demand, for a day or a week, with or without the rows as CSV. */
function NotificationCard() {
  const { register, handleSubmit, control } = useValidForm(schema, { period: "daily", includeCSV: true });
  const period = useWatch({ control, name: "period" });
  const { busy, refusal, send } = useSendReport({
    sent: { title: "Email Notification Sent", message: `The ${period} export is in the organiser's mailbox.` },
    queued: "Email Notification Queued",
    failed: { title: "Failed to Send Notification", message: "There was an error sending the email notification. Please try again." },
  });
  return (
    <form className="card" aria-labelledby="notification-title" onSubmit={handleSubmit((choice) => send(() => sendExport(choice)))}>
      <h3 id="notification-title">Custom email export</h3>
      <Select label="Period" options={periods} {...register("period")} />
      <Switch label="Include CSV attachment" {...register("includeCSV")} />
      {refusal && <p className="field-error">{refusal}</p>}
      <Button type="submit" look="outline" busy={busy} busyLabel="Sending…">Send Email Export</Button>
    </form>
  );
}

interface Messages {
  sent: { title: string; message: string };
  /** The title when the mail server has not taken it yet; the server gives the message. */
  queued: string;
  failed: { title: string; message: string };
}

/** Sends a report and shows the outcome as a notification; `refusal` is the reason that the server gave for a failure. */
function useSendReport({ sent, queued, failed }: Messages) {
  const [refusal, setRefusal] = useState<string>();
  const { busy, act } = useAction(() => setRefusal(undefined));
  const send = (task: () => Promise<Outcome>) => act(task, (outcome) => (outcome.state === "queued" ? { title: queued, message: outcome.detail } : sent), failed.message, (error) => {
    toast({ ...failed, tone: "destructive" });
    setRefusal(detailOf(error));
    return true;
  });
  return { busy, refusal, send };
}

/** What the reports and the files contain, and when they are sent. */
function InformationCard() {
  const { timeZoneLabel } = useAdmin();
  const { data: status } = useScheduler();
  const daily = timeOfDay(status?.config.dailyReportTime ?? "09:00");
  const weekly = weeklyTime(status?.config.weeklyReportTime ?? "Mon 09:00");
  return (
    <article className="card card-wide">
      <h3>Good to know</h3>
      <ul className="points">
        <li>The daily report is sent every day at {daily} {timeZoneLabel} and covers the day before.</li>
        <li>The weekly report is sent every {weekly} and covers the past seven days.</li>
        <li>Reports go to the mailbox set on the server. A report that was missed is sent once, later.</li>
        <li>Counts exclude failed and abandoned entries and spam; files include everything except spam.</li>
        <li>Files contain names, addresses and phone numbers. Handle them with care.</li>
      </ul>
    </article>
  );
}

const outcomes = {
  start: { title: "Scheduler Started", message: "Automated reports are now active." },
  stop: { title: "Scheduler Stopped", message: "Automated reports are paused." },
};

/** The settings of the reports that are sent automatically. */
function SchedulerCard() {
  const scheduler = useScheduler();
  const { busy, act } = useAction(() => scheduler.mutate());
  const setRunning = (action: "start" | "stop") => act(() => switchScheduler(action), outcomes[action], `There was an error trying to ${action} the scheduler. Please try again.`);
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
              <Button look="outline" inactive={busy || status.isRunning} onClick={() => setRunning("start")}>Start Scheduler</Button>
              <Button look="outline" inactive={busy || !status.isRunning} onClick={() => setRunning("stop")}>Stop Scheduler</Button>
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
