import { useState } from "react";
import { Link } from "wouter";
import { maxLength, object, pipe, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { Switch } from "../../kit/checkbox";
import { Refresh } from "../shell/list";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/admin-context";
import { listPath, recordPath } from "../shell/kinds";
import { sections } from "../shell/sections";
import { useActionForm } from "../shell/use-form";
import { moneyIn } from "../shell/values";
import { useFirstSteps } from "../overview/api";
import { resolveFinding, useFindings } from "./api";
import type { Finding } from "../../lib/answer-types";

const problems: Record<string, { title: string; advice: string }> = {
  no_entry: { title: "Paid, but no entry belongs to it", advice: "Find the payment at Stripe and refund it there. The person can then enter again." },
  wrong_amount: { title: "The amount paid is not the price of the entry", advice: "An entry counts as paid only when its whole price is paid. Refund this payment at Stripe, and ask the person to enter again." },
  second_payment: { title: "The entry was paid twice", advice: "Refund the second payment at Stripe." },
  refund_failed: { title: "A refund did not arrive", advice: "The bank sent it back, or Stripe does not know the payment. Check it at Stripe, and ask the person for another way to pay it back." },
};

/** Payments that no rule could match, until an organiser resolves them. */
export function PaymentsSection() {
  const [showResolved, setShowResolved] = useState(false);
  const findings = useFindings(showResolved);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.payments}</AdminTitle>
        <p><Refresh of={findings} /></p>
      </header>
      <p className="measure">Payments we could not match. Everything else is settled automatically. Make refunds on the page of the entry, from the <Link href={listPath("competition-entries")}>list of entries</Link>.</p>
      <NotConnected />
      <Switch label="Show resolved" checked={showResolved} onChange={(event) => setShowResolved(event.target.checked)} />
      <Loaded
        of={findings} loading="Loading the payments…" failed="The payments could not be loaded."
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="empty">{showResolved ? "No unmatched payments so far." : "No unmatched payments. There is nothing to do here."}</p>}
      >
        {({ items }) => <ul className="findings">{items.map((finding) => <li key={finding.id}><Card finding={finding} onResolved={() => findings.mutate()} /></li>)}</ul>}
      </Loaded>
    </>
  );
}

/** While cards cannot be charged: who connects Stripe, and how. */
function NotConnected() {
  const step = useFirstSteps().data?.items.find(({ key, done }) => key === "payment" && !done);
  if (!step) return null;
  return (
    <section className="form-notice measure" aria-label="Connect payment">
      <p>{step.detail} The guide docs/payments.md, which comes with the program, says how. Until then nobody can pay, and the entry page says so.</p>
    </section>
  );
}

function Card({ finding, onResolved }: { finding: Finding; onResolved: () => unknown }) {
  const { title, advice } = problems[finding.problem] ?? { title: finding.problem, advice: "" };
  return (
    <article className="card">
      <h2 className="finding-title">{title}</h2>
      <p className="figures"><strong>{moneyIn(finding.amount, finding.currency)}</strong> <span className="soft"><span className="payment-reference">{finding.stripePaymentIntentId}</span>, found <Instant at={finding.foundAt} /></span></p>
      {finding.entryId !== null && <p><Link href={recordPath("competition-entries", finding.entryId)}>Competition entry {finding.entryId}</Link></p>}
      {finding.settledAt === null
        ? <><p className="soft">{advice}</p><ResolveForm finding={finding} onResolved={onResolved} /></>
        : <p className="soft">Resolved by {finding.settledBy}, <Instant at={finding.settledAt} />{finding.note && `: ${finding.note}`}</p>}
    </article>
  );
}

const schema = object({ note: pipe(string(), trim(), maxLength(500, "Please use at most 500 characters.")) });

function ResolveForm({ finding, onResolved }: { finding: Finding; onResolved: () => unknown }) {
  const { busy, field, submit } = useActionForm(schema, { note: "" }, onResolved);
  const resolve = submit(
    ({ note }) => resolveFinding(finding.id, note),
    { title: "Resolved", message: "The payment is marked as resolved." },
    "The payment could not be marked as resolved. Please try again.",
  );
  return (
    <form className="resolve-form" onSubmit={resolve}>
      <TextField label="What was done" note="(optional)" maxLength={500} {...field("note")} />
      <Button type="submit" look="outline" busy={busy} busyLabel="Saving…">Mark as resolved</Button>
    </form>
  );
}
