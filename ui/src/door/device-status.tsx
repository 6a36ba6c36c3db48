import { useEffect, useState } from "react";
import type { Shown } from "./device";
import { age } from "./event-time";
import { scansWait } from "./words";

/** In milliseconds. */
const tick = 5_000;

/** How many are in, how old the list is, and what waits. */
export function DeviceStatus({ shown: { kept, isOnline, isStored, waiting, own }, figures }: { shown: Shown; figures: { in: number; expected: number } }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, []);
  const old = age(Math.max(0, now - (kept?.confirmedAt ?? now)));
  const refused = own.filter(({ state }) => state === "refused").length;
  return (
    <div className="door-status" data-offline={isOnline ? undefined : ""}>
      <p><strong>{figures.in}</strong> in of {figures.expected}</p>
      <p>{!isOnline && "No network · "}List {old === "now" ? "up to date" : `${old} old`}{waiting > 0 && ` · ${scansWait(waiting)}`}</p>
      {!isStored && <p>This phone stores nothing (a private window?). Keep this page open and the network on.</p>}
      {refused > 0 && <p>{refused === 1 ? "1 scan was" : `${refused} scans were`} not taken by the server. Show this phone to the organizer.</p>}
    </div>
  );
}
