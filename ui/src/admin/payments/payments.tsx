import { useId, useState, type FormEvent } from "react";
import useSWR from "swr";
import { Link } from "wouter";
import { request } from "../../lib/request";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { listPath } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-action";
import { moneyIn } from "../shell/values";

interface Finding {
  id: number;
  foundAt: string;
  stripePaymentIntentId: string;
  problem: string;
  entryId: number | null;
  amount: number;
  currency: string;
  settledAt: string | null;
  settledBy: string | null;
  note: string | null;
}

const problems: Record<string, { title: string; advice: string }> = {
  no_entry: { title: "Paid, but no entry belongs to it", advice: "Look the payment up at Stripe and give it back there; whoever paid can then enter anew." },
  wrong_amount: { title: "Paid another amount than the entry costs", advice: "An entry counts as paid by its whole price alone. Give this payment back at Stripe, and ask the person to enter anew." },
  second_payment: { title: "The entry was paid twice", advice: "Give the second payment back at Stripe." },
  refund_failed: { title: "A refund did not arrive", advice: "The bank sent it back, or Stripe does not know the payment. Look it up at Stripe, and ask the person for another way." },
};

/** Money that no rule can place, until somebody has settled it. */
export function PaymentsSection() {
  const id = useId();
  const [all, setAll] = useState(false);
  const { data, error, isValidating, mutate } = useSWR<{ items: Finding[] }, unknown>(["/api", `payment-findings?all=${all}`], { keepPreviousData: true });
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.payments}</AdminTitle>
        <p><button type="button" className="text-button" aria-disabled={isValidating} onClick={() => void mutate()}>{isValidating ? "Reading..." : "Refresh"}</button></p>
      </header>
      <p className="measure">Payments we could not match. Everything else is settled automatically; refund from the page of an <Link href={listPath("competition-entries")}>entry</Link>.</p>
      <label className="switch" htmlFor={id}>
        <input id={id} type="checkbox" role="switch" checked={all} onChange={(event) => setAll(event.target.checked)} />
        <span>Show resolved</span>
      </label>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The payments could not be read.</Failure>}
      {error === undefined && !data && <p className="admin-waiting">Reading the payments...</p>}
      {error === undefined && data && (data.items.length === 0
        ? <p className="empty">{all ? "No unmatched payments so far." : "No unmatched payments. There is nothing to do here."}</p>
        : <ul className="findings">{data.items.map((finding) => <li key={finding.id}><Card finding={finding} onSettled={() => mutate()} /></li>)}</ul>)}
    </>
  );
}

function Card({ finding, onSettled }: { finding: Finding; onSettled: () => unknown }) {
  const { title, advice } = problems[finding.problem] ?? { title: finding.problem, advice: "" };
  return (
    <article className="card">
      <h2 className="finding-title">{title}</h2>
      <p className="figures"><strong>{moneyIn(finding.amount, finding.currency)}</strong> <span className="soft">{finding.stripePaymentIntentId}, found <Instant at={finding.foundAt} /></span></p>
      {finding.entryId !== null && <p><Link href={`${listPath("competition-entries")}?id=${finding.entryId}`}>Entry number {finding.entryId}</Link></p>}
      {finding.settledAt === null
        ? (<><p className="soft">{advice}</p><Settle finding={finding} onSettled={onSettled} /></>)
        : <p className="soft">Settled by {finding.settledBy}, <Instant at={finding.settledAt} />{finding.note && `: ${finding.note}`}</p>}
    </article>
  );
}

function Settle({ finding, onSettled }: { finding: Finding; onSettled: () => unknown }) {
  const id = useId();
  const { busy, act } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get("note") ?? "").trim();
    void act(
      async () => {
        await request(`/api/payment-findings/${finding.id}/settle`, { method: "POST", body: note ? { note } : {} });
        await onSettled();
      },
      { title: "Settled", message: "The payment needs no look any more." },
      "The payment still needs a look. Please try again.",
    );
  };
  return (
    <form className="settle" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>What was done <span className="optional-mark">(optional)</span></label>
      <input id={id} name="note" className="input" maxLength={500} autoComplete="off" />
      <button type="submit" className="button button-outline admin-button" aria-disabled={busy}>{busy ? "Saving..." : "Mark as resolved"}</button>
    </form>
  );
}
