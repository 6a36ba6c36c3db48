import useSWR from "swr";
import { request } from "../../lib/request";
import type { Finding } from "../../lib/answer-types";

export function useFindings(all: boolean) {
  return useSWR<{ items: Finding[] }, unknown>(["/api", `payment-findings?all=${all}`], { keepPreviousData: true });
}

export async function resolveFinding(id: number, note: string): Promise<void> {
  await request(`/api/payment-findings/${id}/settle`, { method: "POST", body: note ? { note } : {} });
}
