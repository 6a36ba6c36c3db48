import useSWR from "swr";
import { send } from "../../lib/request";
import type { Finding } from "../../lib/answer-types";

export function useFindings(all: boolean) {
  return useSWR<{ items: Finding[] }, unknown>(["/api", `payment-findings?all=${all}`], { keepPreviousData: true });
}

export const resolveFinding = (id: number, note: string) => send("POST", `/api/payment-findings/${id}/settle`, note ? { note } : {});
