import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/admin-context";
import { formatBytes } from "../shell/numbers";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-form";
import { makeBackup, useBackups, type Backups } from "./api";
import type { ListedBackup } from "../../lib/answer-types";

/** The backups with their ages, and a backup now. */
export function BackupsSection() {
  const backups = useBackups();
  const { busy, act } = useAction(() => backups.mutate());
  const make = () => act(makeBackup, { title: "Backup Made", message: "Checked: complete." }, "The backup could not be made. Please try again.");
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.backups}</AdminTitle>
        <p><Button look="outline" busy={busy} busyLabel="Backing up…" onClick={make}>Back up now</Button></p>
      </header>
      <Loaded of={backups} loading="Loading the backups…" failed="The backups could not be loaded." keepsData>
        {(data) => (
          <>
            <p className="measure">{scheduleText(data)} Each holds the whole database; competitors' photos are in the folder <code>media</code> beside the backups. <span className="soft">Copy the whole folder to another machine now and then; a copy on the same machine is lost with it.</span></p>
            {data.items.length === 0 ? <p className="empty">There is no backup in {data.folder} yet.</p> : <BackupTable backups={data.items} now={data.readAt} />}
            <p className="soft">Kept in {data.folder}{data.freeBytes !== null && `, ${formatBytes(data.freeBytes)} free`}. To restore one, stop the server and run <code>showcase restore FILE</code>.</p>
          </>
        )}
      </Loaded>
    </>
  );
}

function BackupTable({ backups, now }: { backups: ListedBackup[]; now: number }) {
  return (
    <Table
      caption="Backups, the newest first" figures rows={backups} rowKey={({ name }) => name}
      columns={[
        { name: "made", label: "Made", cell: ({ name, at }) => <><Instant at={at} /><code className="row-email narrow-only">{name}</code></> },
        { name: "age", label: "Age", cell: ({ at }) => ageOf(at, now) },
        { name: "size", label: "Size", cell: ({ bytes }) => formatBytes(bytes) },
        { name: "file", label: "File", from: "wide", cell: ({ name }) => <code>{name}</code> },
      ]}
    />
  );
}

function scheduleText({ everyHours, keep }: Backups): string {
  if (everyHours === 0) return "Scheduled backups are switched off.";
  return `A backup is made every ${everyHours === 1 ? "hour" : `${everyHours} hours`}, and the newest ${keep} are kept.`;
}

/** "Less than a minute", "5 minutes", "3 hours", "12 days". */
export function ageOf(at: string, now: number): string {
  const minutes = Math.round((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return "Less than a minute";
  const [count, unit] = minutes < 90 ? [minutes, "minute"] : minutes < 36 * 60 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
