import { useState } from "react";
import type { Nomination } from "./api";
import { momentInWords, timeLeft } from "./deadline";
import type { PortalData } from "./portal-data";
import { serverNow } from "../lib/server-clock";
import { openSlots } from "./words";

/** The deadline for handing in, by the server's clock. */
export function Due({ data, nomination }: { data: PortalData; nomination: Nomination }) {
  const { deadline } = nomination;
  const [now] = useState(serverNow);
  if (deadline === null) return null;
  const left = timeLeft(deadline, now);
  const isOpen = openSlots(nomination).length > 0;
  return (
    <p className="nomination-due">
      {isOpen ? "Due" : "The deadline was"} <time dateTime={deadline}>{momentInWords(deadline, data.timeZone)}</time> ({data.timeZoneLabel})
      {isOpen && left && <strong className="figures"> {left}</strong>}
    </p>
  );
}
