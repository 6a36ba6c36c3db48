import { useAdmin } from "../shell/admin-context";
import { timeOfDay, weeklyTime } from "../shell/event-time";
import { useScheduler } from "./api";

/** What the reports and the files contain, and when they are sent. */
export function InformationCard() {
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
