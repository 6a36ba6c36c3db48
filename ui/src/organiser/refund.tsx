import { useId, useRef, useState, type FormEvent } from "react";
import { dollars } from "../parts/money";
import { ApiError } from "../api/api-error";
import { newIdempotencyKey } from "../api/idempotency-key";
import { request } from "../api/request";
import type { Registration } from "./kinds";
import { useAction } from "./use-action";

/** Gives money back for an entry, all of it or a part; asked for twice, sent once. */
export function Refund({ record, onRefunded }: { record: Registration; onRefunded: () => unknown }) {
  const id = useId();
  const { busy, act } = useAction();
  const [asked, setAsked] = useState<number>();
  const [unanswered, setUnanswered] = useState(false);
  const [wrong, setWrong] = useState("");
  const key = useRef("");
  const paid = Number(record.paymentAmount) - Number(record.refundedAmount ?? 0);
  if (!["paid", "partially_refunded"].includes(String(record.paymentStatus)) || !(paid > 0)) return null;

  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("amount") ?? "").replace(/[$,\s]/g, "");
    const cents = Math.round(Number(typed) * 100);
    if (!/^\d+(\.\d{1,2})?$/.test(typed) || cents < 1 || cents > paid) {
      setWrong(`Please enter an amount up to ${dollars(paid)}.`);
      return;
    }
    setWrong("");
    key.current = newIdempotencyKey();
    setAsked(cents);
  };
  const leave = () => {
    setAsked(undefined);
    setUnanswered(false);
  };
  const refund = (cents: number) => act(
    async () => {
      try {
        await request(`/api/competition-entries/${record.id}/refund`, { method: "POST", body: { amountCents: cents }, idempotencyKey: key.current });
        leave();
      } catch (error) {
        // A refusal is the last word under its key; without an answer the same key asks again.
        if (isRefusal(error)) leave();
        else setUnanswered(true);
        throw error;
      } finally {
        await onRefunded();
      }
    },
    { title: "Refunded", message: `${dollars(cents)} is on its way back.` },
    "We don't know yet whether the refund was made. Please try again: it is never paid twice.",
  );

  if (asked !== undefined) {
    return (
      <div className="decision refund" role="group" aria-label="Refund">
        <h2>Refund</h2>
        <p>
          {unanswered
            ? "The payment provider has not answered: this refund may be made all the same, once. Please try again, or look at this entry in some minutes."
            : `Give ${dollars(asked)} back to ${String(record.name)}? This cannot be undone.`}
        </p>
        <button type="button" className="button button-primary desk-button" aria-disabled={busy} onClick={() => refund(asked)}>{busy ? "Refunding..." : `Refund ${dollars(asked)}`}</button>
        <button type="button" className="button button-outline desk-button" onClick={leave}>{unanswered ? "Look at it later" : "Cancel"}</button>
      </div>
    );
  }
  return (
    <form className="decision refund" aria-labelledby={`${id}-title`} onSubmit={ask}>
      <h2 id={`${id}-title`}>Refund</h2>
      <label className="field-label" htmlFor={`${id}-amount`}>Amount in dollars</label>
      <input id={`${id}-amount`} name="amount" className="input figures" inputMode="decimal" defaultValue={(paid / 100).toFixed(2)} aria-invalid={wrong ? true : undefined} aria-describedby={`${id}-wrong`} autoComplete="off" />
      <p id={`${id}-wrong`} className="field-error" role="status">{wrong}</p>
      <button type="submit" className="button button-outline desk-button">Refund...</button>
    </form>
  );
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
