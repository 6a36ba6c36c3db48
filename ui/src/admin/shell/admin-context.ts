import { createContext, useContext } from "react";
import type { DeskData } from "./admin-data.server";
import { eventClock, type EventClock } from "./event-time";

export const DeskContext = createContext<DeskData | null>(null);

export function useDesk(): DeskData {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("a room is shown outside of the desk");
  return desk;
}

export function useEventClock(): EventClock {
  return eventClock(useDesk().timeZone);
}
