import type { Values } from "../forms/rules/rules";
import type { Quote } from "../lib/answer-types";
import { post } from "../lib/request";

/** The outcome of a payment, as the provider reported it to the server. */
export interface PaymentStatus {
  state: "paid" | "held" | "refunded" | "processing" | "unpaid" | "cancelled";
  /** The entry's; null while no entry is saved for the payment. */
  paymentStatus: string | null;
  paymentAmount: number;
  /** The entry's number, and where its receipt goes; null while no entry is saved for the payment. */
  entryId: number | null;
  email: string | null;
  /** What was entered, the primary category first. */
  categories: { category: string; subCategory: string }[];
  /** What the amount is made of, and whose sales tax is in it; null while no entry is saved for the payment. */
  quote: Quote | null;
  taxLocation: string | null;
}

/** The stored entry's public part. */
export interface StoredEntry {
  id: number;
  createdAt: string;
  paymentStatus: string;
  paymentAmount: number;
}

interface IntentRequest {
  amount: number;
  competitionData: { primaryCategory: unknown; subCategory: unknown; additionalCategories: unknown; taxLocation: unknown };
  /** Every form value: it is stored before any money moves. */
  entry: Values;
}

/** Stores the entry as pending and asks for its payment. The same key with a changed form changes the same payment. */
export async function createPaymentIntent(request: IntentRequest, idempotencyKey: string, onWaiting?: () => void): Promise<string> {
  const { clientSecret } = await post<{ clientSecret: string }>("/api/create-competition-payment-intent", request, idempotencyKey, onWaiting);
  return clientSecret;
}

/** Saves a paid entry; asked again for the same payment it answers the same. */
export function saveEntry(entry: Values, paymentAmount: number, stripePaymentIntentId: string, onWaiting?: () => void): Promise<StoredEntry> {
  return post("/api/competition-entries", { ...entry, paymentAmount, stripePaymentIntentId }, undefined, onWaiting);
}

export function askPaymentStatus(clientSecret: string): Promise<PaymentStatus> {
  return post("/api/competition-payments/status", { clientSecret });
}
