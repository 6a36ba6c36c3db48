import type { DoorList } from "./api";
import type { OwnScan } from "./decide";
import { timeOf } from "./event-time";
import { resultNames, toneOf } from "./words";

const most = 6;

/** The last scans of this device. */
export function Recent({ own, list, timeZone, onUndo }: { own: readonly OwnScan[]; list: DoorList; timeZone: string; onUndo: (id: string) => void }) {
  const last = [...own].sort((one, other) => other.at.localeCompare(one.at)).slice(0, most);
  if (last.length === 0) return null;
  const nameOf = (scan: OwnScan) => list.tickets.find(({ code }) => code === scan.code)?.name ?? scan.walkIn ?? scan.code;
  return (
    <section className="door-recent" aria-label="Last on this phone">
      <h2>Last on this phone</h2>
      <ul className="door-people">
        {last.map((scan) => (
          <li key={scan.id} data-tone={toneOf(scan)}>
            <span><span className="door-person">{nameOf(scan)}</span><span className="soft">{timeOf(scan.at, timeZone)} · {scan.undoneAt ? "Undone" : scan.anyway ? "Let in anyway" : resultNames[scan.result]}{scan.state === "waiting" && " · waits"}</span></span>
            {!scan.undoneAt && toneOf(scan) !== "out" && <button type="button" className="text-button" onClick={() => onUndo(scan.id)}>Undo<span className="visually-hidden"> {nameOf(scan)}</span></button>}
          </li>
        ))}
      </ul>
    </section>
  );
}
