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

/** The only read of the organiser's pages that polls. */
const pollEvery = 30_000;

export function useScheduler() {
  return useSWR<SchedulerStatus, unknown>(key, { refreshInterval: pollEvery });
}
