import { useEventClock } from "./admin-context";

/** An instant of this year or so, in event time; it breaks between the day and the time only. */
export function Instant({ at }: { at: string }) {
  const clock = useEventClock();
  const [day = "", time = ""] = clock.short(at).split(/, (?=\d+:)/);
  return <time dateTime={at} className="figures"><span className="instant-day">{day},</span> <span className="instant-time">{time}</span></time>;
}
