import { useId } from "react";
import { InformationCard } from "./information-card";
import { NotificationCard } from "./notification-card";
import { ReportCard } from "./report-card";
import { SchedulerCard } from "./scheduler-card";

/** Reports by email: by hand, on demand, and automatically. */
export function Reports() {
  const id = useId();
  return (
    <section className="admin-part" aria-labelledby={id}>
      <h2 id={id}>Reports by email</h2>
      <div className="cards">
        <ReportCard cadence="daily" />
        <ReportCard cadence="weekly" />
        <NotificationCard />
        <SchedulerCard />
        <InformationCard />
      </div>
    </section>
  );
}
