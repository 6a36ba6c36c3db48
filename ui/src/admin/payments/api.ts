import useSWR from "swr";
import { request } from "../../lib/request";

/** A payment that no rule could match with an entry. */
export interface Finding {
  id: number;
  foundAt: string;
  stripePaymentIntentId: string;
  problem: string;
  entryId: number | null;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  settledAt: string | null;
  settledBy: string | null;
  note: string | null;
}

export function useFindings(all: boolean) {
  return useSWR<{ items: Finding[] }, unknown>(["/api", `payment-findings?all=${all}`], { keepPreviousData: true });
}

export async function resolveFinding(id: number, note: string): Promise<void> {
  await request(`/api/payment-findings/${id}/settle`, { method: "POST", body: note ? { note } : {} });
}
