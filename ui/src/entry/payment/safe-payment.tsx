import { useEffect, useRef } from "react";
import { dollars } from "../../lib/money";
import { useFocusAfter } from "../../kit/use-focus-after";

interface Props {
  amountCents: number;
  email: string;
  busy: boolean;
  onSave: () => void;
}

/** Shown when the payment has succeeded but the entry is not saved yet: saving is retried without a second payment. */
export function SafePayment({ amountCents, email, busy, onSave }: Props) {
  const button = useFocusAfter(busy);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="form-notice safe-payment" aria-labelledby="safe-payment-title">
      <h2 id="safe-payment-title" ref={heading} tabIndex={-1} className="title">Your payment is safe</h2>
      <p>
        Your payment of {dollars(amountCents)} went through, and you will not be asked to pay again. Only saving your entry did not
        work yet. Please try once more. If you leave now, we will finish it and write to you. Questions? Write
        to <a href={`mailto:${email}`}>{email}</a>.
      </p>
      <button ref={button} type="button" className="button button-primary" disabled={busy} onClick={onSave}>
        {busy ? "Processing..." : "Save my entry"}
      </button>
    </section>
  );
}
