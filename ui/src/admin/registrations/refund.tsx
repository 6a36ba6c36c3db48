import { useId, useRef, useState, type FormEvent } from "react";
import { ApiError } from "../../lib/api-error";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { request } from "../../lib/request";
import { Dialog } from "../../kit/dialog";
import { dollars, roundDollars } from "../../lib/money";
import { useAdmin } from "../shell/admin-context";
import type { Registration } from "../shell/kinds";
import { MailFrame } from "../shell/mail-frame";
import { useAction } from "../shell/use-action";

interface Wanted {
  amount: string;
  reason: string;
  notify: boolean;
}

const nothing: Wanted = { amount: "", reason: "", notify: true };

/** Gives money back for an entry, all of it or a part; asked for twice, sent once. */
export function Refund({ record, onRefunded }: { record: Registration; onRefunded: () => unknown }) {
  const { busy, act } = useAction();
  const [wanted, setWanted] = useState(nothing);
  const [asked, setAsked] = useState<number>();
  const [unanswered, setUnanswered] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  const key = useRef("");
  const left = Number(record.paymentAmount) - Number(record.refundedAmount ?? 0);
  if (!["paid", "partially_refunded"].includes(String(record.paymentStatus)) || !(left > 0)) return null;

  const ask = (cents: number) => {
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
        const body = { amountCents: cents, reason: wanted.reason.trim(), notify: wanted.notify };
        await request(`/api/competition-entries/${record.id}/refund`, { method: "POST", body, idempotencyKey: key.current });
        leave();
        setWanted(nothing);
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

  const name = String(record.name);
  if (asked === undefined) return <div className="part" data-place><RefundForm left={left} name={name} wanted={wanted} onChange={setWanted} onAsk={ask} /></div>;
  return (
    <div className="part" data-place>
      <div className="decision refund" role="group" aria-label="Refund">
        <h2>Refund</h2>
        <p>
          {unanswered
            ? "The payment provider has not answered: this refund may be made all the same, once. Please try again, or look at this entry in some minutes."
            : `Give ${dollars(asked)} back to ${name}? This cannot be undone. It reaches the card in 5 to 10 days.`}
        </p>
        {wanted.notify
          ? <p>{name} gets an email about it. <button type="button" className="text-button" aria-haspopup="dialog" onClick={() => setPreviewed(true)}>Preview the email</button></p>
          : <p>No email is sent.</p>}
        <button type="button" className="button button-primary admin-button" aria-disabled={busy} onClick={() => refund(asked)}>{busy ? "Refunding..." : `Refund ${dollars(asked)}`}</button>
        <button type="button" className="button button-outline admin-button" onClick={leave}>{unanswered ? "Look at it later" : "Cancel"}</button>
      </div>
      {previewed && (
        <Dialog eyebrow={`Refund of ${dollars(asked)}`} title="The email about it" onClose={() => setPreviewed(false)}>
          <p className="soft">To {String(record.email)}</p>
          <MailFrame title="The email about the refund" src={`/api/competition-entries/${record.id}/refund-mail/html?amountCents=${asked}`} />
        </Dialog>
      )}
    </div>
  );
}

interface FormProps {
  left: number;
  name: string;
  wanted: Wanted;
  onChange: (wanted: Wanted) => void;
  onAsk: (cents: number) => void;
}

function RefundForm({ left, name, wanted, onChange, onAsk }: FormProps) {
  const id = useId();
  const { categoryCents } = useAdmin();
  const [wrong, setWrong] = useState<{ amount?: string; reason?: string }>({});
  const change = (part: Partial<Wanted>) => onChange({ ...wanted, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = wanted.amount.replace(/[$,\s]/g, "");
    const cents = Math.round(Number(typed) * 100);
    const isAmount = /^\d+(\.\d{1,2})?$/.test(typed) && cents >= 1 && cents <= left;
    const found = {
      ...(!isAmount && { amount: `Please enter an amount up to ${dollars(left)}.` }),
      ...(wanted.reason.trim() === "" && { reason: "Please say why: the others will want to know." }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) onAsk(cents);
  };
  return (
    <form className="decision refund" aria-labelledby={`${id}-title`} onSubmit={submit} noValidate>
      <h2 id={`${id}-title`}>Refund</h2>
      <label className="field-label" htmlFor={`${id}-amount`}>Amount in dollars</label>
      <input id={`${id}-amount`} className="input figures" inputMode="decimal" value={wanted.amount} aria-invalid={wrong.amount ? true : undefined} aria-describedby={`${id}-amount-wrong ${id}-help`} autoComplete="off" onChange={(event) => change({ amount: event.target.value })} />
      <p id={`${id}-amount-wrong`} className="field-error" role="status">{wrong.amount}</p>
      <p className="refund-help soft">
        <button type="button" className="text-button" onClick={() => change({ amount: (left / 100).toFixed(2) })}>All {dollars(left)}</button>
        <span id={`${id}-help`}>One category: {roundDollars(categoryCents)} + tax</span>
      </p>
      <label className="field-label" htmlFor={`${id}-reason`}>Reason <span className="optional-mark">(never shown to the entrant)</span></label>
      <textarea id={`${id}-reason`} className="input" rows={2} maxLength={10_000} value={wanted.reason} aria-required="true" aria-invalid={wrong.reason ? true : undefined} aria-describedby={`${id}-reason-wrong`} autoComplete="off" onChange={(event) => change({ reason: event.target.value })} />
      <p id={`${id}-reason-wrong`} className="field-error" role="status">{wrong.reason}</p>
      <label className="tick">
        <input type="checkbox" checked={wanted.notify} onChange={(event) => change({ notify: event.target.checked })} />
        <span>Send {name} an email about it</span>
      </label>
      <button type="submit" className="button button-outline admin-button">Refund...</button>
    </form>
  );
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}
