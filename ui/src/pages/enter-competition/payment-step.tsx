import { Suspense, useState } from "react";
import type { Quote } from "../../form/pricing";
import { Guard } from "../../parts/guard";
import { dollars } from "../../parts/money";
import { toast } from "../../parts/toast-store";
import { useBusy } from "../../parts/use-busy";
import type { EntryData } from "./entry-data";
import { notePaying } from "./entry-fill";
import { FeePanel } from "./fee-panel";
import { CardForm, DemoForm } from "./lazy-payment";
import { SafePayment } from "./safe-payment";
import { StepHead } from "./step-head";

/** A payment that is waiting to be made. */
export interface Due {
  clientSecret: string;
  amountCents: number;
  person: { name: string; email: string; phone: string };
  /** What it is made of; unknown where another tab asked for it. */
  quote?: { lines: Quote; taxLocation: string };
  /** What is saved with it; without it, the entry that the server keeps is asked after. */
  entry?: Record<string, unknown>;
  /** The provider has taken it, and only saving is left to do. */
  paidAs?: string;
}

interface Props {
  data: EntryData;
  due: Due;
  onBack: () => void;
  onUnknown: () => void;
  /** Saves what was paid for; it says itself when that fails. */
  onPaid: (due: Due, paymentId: string) => Promise<void>;
}

/** The second step: the provider's form, in our frame. */
export function PaymentStep({ data, due, onBack, onUnknown, onPaid }: Props) {
  const { busy, run } = useBusy();
  const [declined, setDeclined] = useState("");
  const Form = data.payments === "demo" ? DemoForm : CardForm;
  const goBackChanged = () => {
    toast({ title: "Error", message: "This entry was changed in another tab. Please check it and continue again.", tone: "destructive" });
    onBack();
  };
  return (
    <div className="frame entry-step">
      <StepHead step={1} title={data.text.paymentTitle}>
        <p className="lead">{data.text.paymentNote}</p>
      </StepHead>
      <div className="form-grid entry-grid">
        <div className="form">
          {due.paidAs ? (
            <SafePayment amountCents={due.amountCents} email={data.email} busy={busy} onSave={() => void run(() => onPaid(due, due.paidAs!))} />
          ) : (
            <>
              {declined && <p className="payment-declined">{declined} Nothing was charged; you can try again or pay in another way.</p>}
              <Guard instead={<NoPaymentForm />}>
                <Suspense fallback={<p className="payment-waiting" role="status">The payment form is on its way.</p>}>
                  <Form
                    clientSecret={due.clientSecret}
                    amountCents={due.amountCents}
                    person={due.person}
                    publishableKey={data.publishableKey}
                    returnUrl={`${location.origin}${location.pathname}?success=true`}
                    busy={busy}
                    run={run}
                    onPaying={() => {
                      setDeclined("");
                      notePaying(due.clientSecret);
                    }}
                    onConfirmed={(paymentId) => onPaid(due, paymentId)}
                    onDeclined={(message) => {
                      setDeclined(message);
                      toast({ title: "Payment Failed", message, tone: "destructive" });
                    }}
                    onUnknown={onUnknown}
                    onStale={goBackChanged}
                  />
                </Suspense>
              </Guard>
              <button type="button" className="button button-plain" disabled={busy} onClick={onBack}>Back to the form</button>
            </>
          )}
        </div>
        <aside className="form-aside">
          {due.quote ? <FeePanel quote={due.quote.lines} pricing={data.pricing} taxLocation={due.quote.taxLocation} /> : (
            <section className="fee-panel" aria-label="Fee">
              <p className="fee-total figures"><span>Total</span> <strong>{dollars(due.amountCents)}</strong></p>
            </section>
          )}
        </aside>
      </div>
    </div>
  );
}

/** The site was updated while somebody filled in the form, or the line broke. */
function NoPaymentForm() {
  return (
    <div className="form-notice" role="alert">
      <p>The payment form could not be loaded, and nothing was charged. Please reload the page: what you typed is kept.</p>
      <button type="button" className="button button-plain" onClick={() => location.reload()}>Reload the page</button>
    </div>
  );
}
