import { useState, useCallback, useEffect, useRef } from "react";
import { detailOf } from "../../lib/api-error";
import { NotSent } from "../../forms/submit/form-notices";
import { ErrorBoundary } from "../../kit/error-boundary";
import { dollars } from "../../lib/money";
import { toast } from "../../kit/toast-store";
import { useFocusAfter } from "../../kit/use-busy";
import { askPaymentStatus } from "../api";
import type { Due } from "../machine";
import { StepHead, BarStatus } from "../step-head";
import type { EntryData } from "../entry-data.server";
import { isSentElsewhere } from "../storage/entry-attempt";
import { FeePanel } from "../form/fee-panel";
import { forgetPending, notePending, earlierPayment, type OwnPayment } from "../storage/own-payments";
import { CardForm } from "./card-form";
import { DemoForm } from "./demo-form";

interface Props {
  data: EntryData;
  due: Due;
  /** Money may be moving. */
  busy: boolean;
  /** Runs one task at a time. */
  run: (task: () => Promise<unknown>) => Promise<void>;
  onBack: () => void;
  /** Shows the outcome of a payment. */
  onAsk: (clientSecret: string) => void;
  /** Saves the paid entry, and shows its own error if that fails. */
  onPaid: (due: Due, paymentId: string) => Promise<void>;
}

/** The second step: the provider's form, with our heading and buttons around it. */
export function PaymentStep({ data, due, busy, run, onBack, onAsk, onPaid }: Props) {
  const { clientSecret, amountCents, person } = due;
  const [declined, setDeclined] = useState("");
  const { earlier, isAcknowledged } = useEarlierPayment(person.email, clientSecret);
  const quote = due.quote ?? (due.status?.quote && { lines: due.status.quote, taxLocation: due.status.taxLocation ?? "", location: "" });
  const Form = data.payments === "demo" ? DemoForm : CardForm;

  const mayPay = async (): Promise<boolean> => {
    if (!isAcknowledged()) return false;
    try {
      const held = await askPaymentStatus(clientSecret);
      if (held.state !== "unpaid") onAsk(clientSecret);
      else if (held.paymentAmount !== amountCents) goBackChanged(`: it costs ${dollars(held.paymentAmount)} now, and not ${dollars(amountCents)}`);
      else if (due.entry && isSentElsewhere(clientSecret)) goBackChanged();
      else return true;
    } catch (error) {
      toast({ title: "Error", message: `${detailOf(error) ?? "We could not check your entry."} Nothing was charged. Please try again.`, tone: "destructive" });
    }
    return false;
  };
  const goBackChanged = (how = "") => {
    toast({ title: "Error", message: `This entry was changed in another tab${how}. Nothing was charged. Please check it and continue again.`, tone: "destructive" });
    onBack();
  };
  return (
    <div className="frame entry-step">
      <BarStatus step={2} cents={amountCents} />
      <StepHead step={1} title={data.text.paymentTitle}>
        <div className="entry-order">
          {due.categories.length > 0 && <p><strong>{due.categories.join(" · ")}</strong></p>}
          <p>
            {person.email && <>Receipt to {person.email}. </>}
            {!due.paidAs && <button type="button" className="read-link" disabled={busy} onClick={onBack}>Change<span className="hidden-text"> the entry</span></button>}
          </p>
        </div>
      </StepHead>
      <div className="form-grid entry-grid">
        <div className="form">
          {due.refused && (
            <NotSent reason={due.refused} kept={false}>
              <button type="button" className="button button-plain" disabled={busy} onClick={() => onAsk(clientSecret)}>See what became of this payment</button>
            </NotSent>
          )}
          {due.paidAs ? (
            <SafePayment amountCents={amountCents} email={data.email} busy={busy} onSave={() => void run(() => onPaid(due, due.paidAs!))} />
          ) : (
            <>
              {earlier && <EarlierPayment earlier={earlier} onShow={() => onAsk(earlier.clientSecret)} />}
              {declined && <p className="payment-declined">{declined} Nothing was charged; you can try again or pay in another way.</p>}
              <ErrorBoundary fallback={<NoPaymentForm />}>
                <Form
                  clientSecret={clientSecret}
                  amountCents={amountCents}
                  person={person}
                  publishableKey={data.publishableKey}
                  returnUrl={`${location.origin}${location.pathname}?success=true`}
                  busy={busy}
                  run={run}
                  mayPay={mayPay}
                  onPaying={() => {
                    setDeclined("");
                    notePending(clientSecret, person.email);
                  }}
                  onConfirmed={(paymentId) => onPaid(due, paymentId)}
                  onDeclined={(message) => {
                    forgetPending(clientSecret);
                    setDeclined(message);
                    toast({ title: "Payment Failed", message, tone: "destructive" });
                  }}
                  onUnknown={() => onAsk(clientSecret)}
                />
              </ErrorBoundary>
              <p className="field-hint">{data.text.paymentNote}</p>
              <button type="button" className="button button-plain" disabled={busy} onClick={onBack}>Back to the form</button>
            </>
          )}
        </div>
        <aside className="form-aside">
          {quote ? <FeePanel quote={quote.lines} pricing={data.pricing} taxLocation={quote.taxLocation} location={quote.location} /> : (
            <section className="fee-panel" aria-label="Fee">
              <p className="fee-total figures"><span>Total</span> <strong>{dollars(amountCents)}</strong></p>
            </section>
          )}
        </aside>
      </div>
    </div>
  );
}

/** Shown if the payment form fails while it is rendered. */
function NoPaymentForm() {
  return (
    <div className="form-notice" role="alert">
      <p>The payment form could not be loaded, and nothing was charged. Please reload the page: what you typed is kept.</p>
      <button type="button" className="button button-plain" onClick={() => location.reload()}>Reload the page</button>
    </div>
  );
}

/**
 * Finds another payment for the same person from this browser, also one that another tab makes. `isAcknowledged` checks
 * again: it is false if there is one that was not shown before; that one is then shown.
 */
function useEarlierPayment(email: string, clientSecret: string) {
  const find = useCallback(() => earlierPayment(email, clientSecret), [email, clientSecret]);
  const [earlier, setEarlier] = useState(find);
  useEffect(() => {
    const onStorage = () => setEarlier(find());
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [find]);
  const isAcknowledged = () => {
    const current = find();
    setEarlier(current);
    return !current || (current.clientSecret === earlier?.clientSecret && current.paid === earlier.paid);
  };
  return { earlier, isAcknowledged };
}

/** Warns of a second payment. Somebody who wants another entry can pay all the same. */
function EarlierPayment({ earlier, onShow }: { earlier: OwnPayment; onShow: () => void }) {
  return (
    <div className="form-notice" role="alert">
      <p>
        {earlier.paid
          ? `An entry for ${earlier.email} has already been paid for in this browser. `
          : `A payment for an entry for ${earlier.email} has already been started in this browser, and may have gone through. `}
        Nothing has been charged for this one yet. Pay only if you want to enter a second time.
      </p>
      <p className="form-notice-actions">
        <button type="button" className="button button-plain" onClick={onShow}>See that payment</button>
      </p>
    </div>
  );
}

interface SafePaymentProps {
  amountCents: number;
  email: string;
  busy: boolean;
  onSave: () => void;
}

/** Shown when the payment has succeeded but the entry is not saved yet: saving is retried without a second payment. */
function SafePayment({ amountCents, email, busy, onSave }: SafePaymentProps) {
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
