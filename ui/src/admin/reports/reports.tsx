import { InformationCard } from "./information-card";
import { NotificationCard } from "./notification-card";
import { ReportCard } from "./report-card";
import { SchedulerCard } from "./scheduler-card";

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
