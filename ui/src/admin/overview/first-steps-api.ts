import useSWR from "swr";

export interface FirstStep {
  key: string;
  title: string;
  detail: string;
  /** It stays done, whatever happens later. */
  done: boolean;
}

export function useFirstSteps() {
  return useSWR<{ items: FirstStep[]; done: number; total: number }, unknown>(["/api", "first-steps"], { revalidateOnMount: true });
}
