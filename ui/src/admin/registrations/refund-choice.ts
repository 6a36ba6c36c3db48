import { check, forward, maxLength, nonEmpty, object, partialCheck, pipe, boolean, string, transform, trim } from "valibot";
import { dollars } from "../../lib/money";
import type { Registration } from "../shell/kinds";
import type { RefundRequest } from "./api";
import { centsOf } from "./cents";

/** A category of an entry; `code` is what judges know it by. */
export interface NominationLine {
  id: number;
  code: string;
  label: string;
  state: string;
}

/** What may be refunded: a category, which is then withdrawn, everything, or another amount. */
export interface RefundChoice {
  /** A nomination's code, "all" or "other". */
  value: string;
  label: string;
  /** Undefined where the organiser has to type the amount. */
  cents: number | undefined;
}

const takingPart = ["open", "handed_in", "returned", "ready"];

export function nominationsOf(record: Registration): NominationLine[] {
  return (record.nominations as NominationLine[] | null | undefined) ?? [];
}

export function activeNominations(record: Registration): NominationLine[] {
  return nominationsOf(record).filter(({ state }) => takingPart.includes(state));
}

/** In cents. */
export function refundableCents(record: Registration): number {
  return Number(record.paymentAmount) - Number(record.refundedAmount ?? 0);
}

/** Whether something of the payment can still be refunded. */
export function isRefundable(record: Registration): boolean {
  return ["paid", "partially_refunded"].includes(String(record.paymentStatus)) && refundableCents(record) > 0;
}

/** The last category that takes part is refunded with everything else. */
export function refundChoices(record: Registration): RefundChoice[] {
  const price = record.oneCategoryCents as number | undefined;
  const active = activeNominations(record);
  const left = refundableCents(record);
  const categories = active.length < 2 ? [] : active.map(({ code, label }) => ({ value: code, label: `${label} (${code})${price === undefined ? "" : `, ${dollars(price)} with tax`}`, cents: price }));
  return [...categories, { value: "all", label: `Everything, ${dollars(left)}`, cents: left }, { value: "other", label: "Another amount", cents: undefined }];
}

/** What the choice does to the categories, as a sentence. */
export function consequenceOf(choice: RefundChoice | undefined, record: Registration): string {
  if (choice === undefined) return "";
  const active = activeNominations(record);
  if (choice.value === "other") return active.length > 0 ? "No category is withdrawn." : "";
  if (choice.value === "all") return active.length === 0 ? "" : active.length === 1 ? `${active[0]!.label} is withdrawn with it.` : "All categories are withdrawn with it.";
  const label = active.find(({ code }) => code === choice.value)?.label ?? choice.value;
  return `${label} is withdrawn with it; the rest of the entry stays.`;
}

export const noRefund = { what: "", amount: "", reason: "", notify: true };

export function refundSchema(choices: RefundChoice[], left: number) {
  const chosen = (what: string) => choices.find(({ value }) => value === what);
  const cents = ({ what, amount }: { what: string; amount: string }) => chosen(what)?.cents ?? centsOf(amount);
  return pipe(
    object({
      what: pipe(string(), check((what) => chosen(what) !== undefined, "Please choose what is refunded.")),
      amount: string(),
      reason: pipe(string(), trim(), nonEmpty("Please say why. Other organisers will want to know."), maxLength(10_000, "Please use at most 10,000 characters.")),
      notify: boolean(),
    }),
    forward(
      partialCheck([["what"], ["amount"]], (input) => {
        const amount = cents(input);
        return chosen(input.what) === undefined || (amount !== undefined && amount >= 1 && amount <= left);
      }, `Please enter an amount up to ${dollars(left)}.`),
      ["amount"],
    ),
    transform(({ what, amount, reason, notify }): RefundRequest => ({
      amountCents: cents({ what, amount }) ?? 0, reason, notify, ...(!["all", "other"].includes(what) && { category: what }),
    })),
  );
}
