import { createContext, useContext } from "react";
import type { AdminData } from "./admin-data.server";
import { eventClock, type EventClock } from "./event-time";

export const AdminContext = createContext<AdminData | null>(null);

export function useAdmin(): AdminData {
  const admin = useContext(AdminContext);
  if (!admin) throw new Error("an admin section is rendered outside of AdminContext");
  return admin;
}

export function useEventClock(): EventClock {
  return eventClock(useAdmin().timeZone);
}

/** An instant of this year or so, in event time; it breaks between the day and the time only. */
export function Instant({ at }: { at: string }) {
  const clock = useEventClock();
  const [day = "", time = ""] = clock.short(at).split(/, (?=\d+:)/);
  return <time dateTime={at} className="figures"><span className="instant-day">{day},</span> <span className="instant-time">{time}</span></time>;
}
