import { useState } from "react";
import { serverNow } from "../lib/clock";
import type { Nomination } from "./api";
import { momentInWords, timeLeft } from "./deadline";
import type { PortalData } from "./portal-data";

/** The deadline for handing in, by the server's clock. */
export function Due({ data, nomination }: { data: PortalData; nomination: Nomination }) {
  const { deadline } = nomination;
  const [now] = useState(serverNow);
  if (deadline === null) return null;
  const left = timeLeft(deadline, now);
  return (
    <p className="nomination-due">
      {left ? "Due" : "The deadline was"} <time dateTime={deadline}>{momentInWords(deadline, data.timeZone)}</time> ({data.timeZoneLabel})
      {left && <strong className="figures"> {left}</strong>}
    </p>
  );
}
