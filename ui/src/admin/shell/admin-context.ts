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
