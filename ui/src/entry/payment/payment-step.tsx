import { useState } from "react";
import { detailOf } from "../../lib/api-error";
import { askPaymentStatus } from "../api";
import { NotSent } from "../../forms/submit/not-sent";
import type { Due } from "../machine";
import { ErrorBoundary } from "../../kit/error-boundary";
import { dollars } from "../../lib/money";
import { toast } from "../../kit/toast-store";
import { BarStatus } from "../bar-status";
import { EarlierPayment, useEarlierPayment } from "./earlier-payment";
import type { EntryData } from "../entry-data.server";
import { isSentElsewhere } from "../storage/entry-attempt";
import { FeePanel } from "../form/fee-panel";
import { CardForm } from "./card-form";
import { DemoForm } from "./demo-form";
import { forgetPaying, notePaying } from "../storage/own-payments";
import { SafePayment } from "./safe-payment";
import { StepHead } from "../step-head";

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
                    notePaying(clientSecret, person.email);
                  }}
                  onConfirmed={(paymentId) => onPaid(due, paymentId)}
                  onDeclined={(message) => {
                    forgetPaying(clientSecret);
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
