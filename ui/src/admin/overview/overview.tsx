import { Link } from "wouter";
import { useEffect } from "react";
import { Button } from "../../kit/button";
import { Failure, Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { read, write } from "../../lib/browser-storage";
import { serverNow } from "../../lib/clock";
import { Exports } from "../exports/exports";
import { Reports } from "../reports/reports";
import { useEventClock, Instant } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { useSummary } from "../shell/api";
import { FoldedPart, SectionBoundary } from "../shell/parts";
import { formatBytes, formatCount } from "../shell/numbers";
import { kindLabels, recordPath, nameOf } from "../shell/kinds";
import { StatusMark } from "../shell/status-mark";
import { refreshOverview, useAttention, useFirstSteps, useRecent, useTallies, useStorage, type LatestRegistration, type Recent } from "./api";
import { AttentionBox, Placeholders, FirstSteps } from "./attention";
import { Counts, ByCategory } from "./counts";
import { ByDay } from "./by-day";

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

/** The size of the database, and what takes the space. */
function Storage() {
  return (
    <FoldedPart title="Storage" className="admin-part">
      <Loaded of={useStorage()} loading="Loading the size…" failed="The size of the database could not be loaded." keepsData>
        {(storage) => <p className="figures">{storageSentences(storage)}</p>}
      </Loaded>
    </FoldedPart>
  );
}

/** The answer of `GET /api/storage`. */
export interface StorageUse {
  bytes: number;
  /** Part of `bytes`: free to be used again. */
  freeBytes: number;
  /** The largest first. */
  parts: { name: "registrations" | "mails" | "audit" | "pictures" | "photos"; bytes: number }[];
}

const names: Record<StorageUse["parts"][number]["name"], string> = {
  registrations: "registrations",
  mails: "emails",
  audit: "the audit log",
  pictures: "pictures",
  photos: "competitors' photos",
};

/** Less than this is not mentioned, in bytes. */
const little = 50_000;

/** "The database is 12.4 MB. Emails take 6.1 MB, registrations 4.2 MB." */
export function storageSentences({ bytes, freeBytes, parts }: StorageUse): string {
  const large = parts.filter((part) => part.bytes >= little).map((part) => [names[part.name], formatBytes(part.bytes)] as const);
  const [first, ...others] = large;
  const sentences = [`The database is ${formatBytes(bytes)}.`];
  if (first) {
    const takes = first[0].startsWith("the ") ? "takes" : "take";
    sentences.push(`${capital(first[0])} ${takes} ${[first[1], ...others.map((part) => part.join(" "))].join(", ")}.`);
  }
  if (freeBytes >= bytes / 10 && freeBytes >= little) sentences.push(`${formatBytes(freeBytes)} of it is free to be used again.`);
  return sentences.join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const mostShown = 8;

/** The latest registrations, and how many came since this browser was here last. */
function Latest({ recent: { registrations, completeFrom } }: { recent: Recent }) {
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
const before = read<number>(() => localStorage, name);

/** When this browser last showed the overview before this visit; undefined the first time, or without storage. */
function useLastVisit(): number | undefined {
  useEffect(() => void write(() => localStorage, name, serverNow()), []);
  return before;
}
