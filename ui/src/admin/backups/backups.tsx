import useSWR from "swr";
import { request } from "../../lib/request";
import { fetcher, type Key } from "../../lib/swr-settings";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { sizeOf } from "../outbox/mail";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";

interface Backups {
  items: { name: string; at: string; bytes: number }[];
  everyHours: number;
  keep: number;
  folder: string;
  freeBytes: number | null;
}

/** What was backed up, how old it is, and a backup now. */
export function BackupsSection() {
  const { data, error, mutate } = useSWR<Backups & { readAt: number }, unknown>(["/api", "backups"], readBackups);
  const { busy, act } = useAction();
  const make = () => act(
    async () => {
      await request("/api/backups", { method: "POST" });
      await mutate();
    },
    { title: "Backup Made", message: "Checked: complete." },
    "The backup could not be made. Please try again.",
  );
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.backups}</AdminTitle>
        <p><button type="button" className="button button-outline admin-button" aria-disabled={busy} onClick={make}>{busy ? "Backing up..." : "Back up now"}</button></p>
      </header>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The backups could not be listed.</Failure>}
      {error === undefined && !data && <p className="admin-waiting">Looking at the backups...</p>}
      {error === undefined && data && (
        <>
          <p className="measure">{saysWhen(data)} Each holds the whole database. <span className="soft">Copy them to another machine now and then; a copy on the same machine is lost with it.</span></p>
          {data.items.length === 0
            ? <p className="empty">There is no backup in {data.folder} yet.</p>
            : <List items={data.items} now={data.readAt} />}
          <p className="soft">Kept in {data.folder}{data.freeBytes !== null && `, ${sizeOf(data.freeBytes)} free`}. To go back to one, stop the server and run <code>showcase restore FILE</code>.</p>
        </>
      )}
    </>
  );
}

async function readBackups(key: Key) {
  return { ...(await fetcher(key)) as Backups, readAt: Date.now() };
}

function List({ items, now }: { items: Backups["items"]; now: number }) {
  return (
    <table className="admin-table figures">
      <caption className="hidden-text">Backups, the newest first</caption>
      <thead><tr><th scope="col">Made</th><th scope="col">Age</th><th scope="col">Size</th><th scope="col" className="wide-only">File</th></tr></thead>
      <tbody>
        {items.map(({ name, at, bytes }) => (
          <tr key={name}>
            <th scope="row"><Instant at={at} /><code className="row-email narrow-only">{name}</code></th>
            <td>{ageOf(at, now)}</td>
            <td>{sizeOf(bytes)}</td>
            <td className="wide-only"><code>{name}</code></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function saysWhen({ everyHours, keep }: Backups): string {
  if (everyHours === 0) return "Backups by the clock are switched off.";
  return `A backup is made every ${everyHours === 1 ? "hour" : `${everyHours} hours`}, and the newest ${keep} are kept.`;
}

/** "5 minutes", "3 hours", "12 days". */
export function ageOf(at: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(at)) / 60_000));
  const [count, unit] = minutes < 90 ? [minutes, "minute"] : minutes < 36 * 60 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
