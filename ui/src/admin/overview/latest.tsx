import { Link } from "wouter";
import { useEffect } from "react";
import { Table } from "../../kit/table";
import { serverNow } from "../../lib/clock";
import { useEventClock } from "../shell/admin-context";
import { Instant } from "../shell/instant";
import { kindLabels, recordPath, nameOf } from "../shell/kinds";
import { formatCount } from "../shell/numbers";
import { StatusMark } from "../shell/status-mark";
import type { LatestRegistration, Recent } from "./api";

const mostShown = 8;

/** The latest registrations, and how many came since this browser was here last. */
export function Latest({ recent: { registrations, completeFrom } }: { recent: Recent }) {
  const clock = useEventClock();
  const before = useLastVisit();
  const isNew = ({ record }: LatestRegistration) => before !== undefined && Date.parse(record.createdAt) > before;
  const count = registrations.filter(isNew).length;
  return (
    <section className="latest" aria-labelledby="latest-title">
      <h2 id="latest-title">Latest</h2>
      {before !== undefined && before >= completeFrom && <p className="soft figures">{count === 0 ? "Nothing new" : `${formatCount(count)} new`} since your last visit here, {clock.short(before)}.</p>}
      {registrations.length === 0 ? <p className="empty">Nobody has registered yet. Submissions appear here as they arrive.</p> : (
        <Table
          caption="The latest registrations" headless rows={registrations.slice(0, mostShown)} rowKey={({ kind, record }) => `${kind} ${record.id}`} isNew={isNew}
          columns={[
            {
              name: "name", label: "Name",
              cell: (registration) => (
                <>
                  <Link href={recordPath(registration.kind, registration.record.id)} className="row-link"><bdi>{nameOf(registration.kind, registration.record)}</bdi></Link>
                  <span className="row-email">{kindLabels[registration.kind].singular}{isNew(registration) && ", new"}</span>
                </>
              ),
            },
            { name: "received", label: "Received", from: "roomy", cell: ({ record }) => <Instant at={record.createdAt} /> },
            { name: "status", label: "Status", cell: ({ kind, record }) => <StatusMark status={typeof record.paymentStatus === "string" ? record.paymentStatus : record.status} kind={kind} /> },
          ]}
        />
      )}
    </section>
  );
}

const name = "desk:last-visit";

/** Read once for each load of the page, before this visit is noted. */
const before = read();

/** When this browser last showed the overview before this visit; undefined the first time, or without storage. */
function useLastVisit(): number | undefined {
  useEffect(() => {
    try {
      localStorage.setItem(name, String(serverNow()));
    } catch {
      // Without storage every visit is the first.
    }
  }, []);
  return before;
}

function read(): number | undefined {
  try {
    return Number(localStorage.getItem(name)) || undefined;
  } catch {
    return undefined;
  }
}
