import useSWR from "swr";
import type { Key } from "../../lib/swr-settings";

export interface SchedulerStatus {
  isRunning: boolean;
  config: { dailyReportTime: string; weeklyReportTime: string };
  nextDailyRun: string | null;
  lastDailyRun: string | null;
  nextWeeklyRun: string | null;
  lastWeeklyRun: string | null;
}

const key: Key = ["/api", "scheduler", "status"];

/** The only thing on the desk that is read again by itself. */
const pollEvery = 30_000;

export function useScheduler() {
  return useSWR<SchedulerStatus, unknown>(key, { refreshInterval: pollEvery });
}
