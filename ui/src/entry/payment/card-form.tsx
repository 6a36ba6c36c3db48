import { useEffect, useState, type FormEvent } from "react";
import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import type { PaymentIntentResult, Stripe, StripeError, Appearance } from "@stripe/stripe-js";
import { dollars } from "../../lib/money";
import { useFocusAfter } from "../../kit/use-busy";

/** Stripe's own form: what is typed there goes to Stripe and never to us. */
export function CardForm(props: PaymentFormProps) {
  const { clientSecret, publishableKey } = props;
  const { stripe, failed, retry } = useStripeScript(publishableKey);
  const [options] = useState(() => ({ clientSecret, appearance: appearance(), loader: "auto" as const }));
  const [round, setRound] = useState(1);
  if (failed) return <NotLoaded onAgain={retry} />;
  if (!stripe) return <p className="payment-waiting" role="status">Loading the card form…</p>;
  return (
    <Elements key={round} stripe={stripe} options={options}>
      <CardFields {...props} onAgain={() => setRound(round + 1)} />
    </Elements>
  );
}

/** Loaded once for a document; a failed load is forgotten, so that the next one tries again. */
let loading: Promise<Stripe | null> | undefined;

function useStripeScript(publishableKey: string) {
  const [attempt, setAttempt] = useState(1);
  const [result, setResult] = useState<{ stripe?: Stripe | null; failed?: boolean }>({});
  useEffect(() => {
    let isCurrent = true;
    setResult({});
    loading ??= loadStripe(publishableKey);
    loading.then(
      (stripe) => isCurrent && setResult({ stripe }),
      () => {
        loading = undefined;
        if (isCurrent) setResult({ failed: true });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [publishableKey, attempt]);
  return { ...result, retry: () => setAttempt(attempt + 1) };
}

function CardFields({ person, amountCents, returnUrl, clientSecret, busy, run, mayPay, onPaying, onConfirmed, onDeclined, onUnknown, onAgain }: PaymentFormProps & { onAgain: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<StripeError>();
  const [options] = useState(() => ({ layout: "tabs" as const, defaultValues: { billingDetails: person } }));
  const payButton = useFocusAfter(busy);

  const pay = (event: FormEvent) => {
    event.preventDefault();
    if (!stripe || !elements || !ready) return;
    void run(async () => {
      const { error } = await elements.submit();
      if (error) return onDeclined(messageOf(error));
      if (!(await mayPay())) return;
      onPaying();
      const { error: refusal } = await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl }, redirect: "if_required" });
      // If the connection broke, the payment may or may not have been made. Only Stripe knows.
      const after = await stripe.retrievePaymentIntent(clientSecret);
      if (isTaken(after)) return onConfirmed(paymentIdOf(clientSecret));
      if (after.error) return onUnknown();
      onDeclined(messageOf(refusal));
    });
  };

  if (failure) return <NotLoaded reason={failure.message} onAgain={onAgain} />;
  return (
    <form className="card-form" aria-label="Payment" onSubmit={pay}>
      <PaymentElement options={options} onReady={() => setReady(true)} onLoadError={({ error }) => setFailure(error)} />
      <button ref={payButton} type="submit" className="button button-primary" disabled={busy || !ready}>
        {busy ? "Processing..." : `Pay ${dollars(amountCents)}`}
      </button>
    </form>
  );
}

function NotLoaded({ reason, onAgain }: { reason?: string; onAgain: () => void }) {
  return (
    <div className="form-notice" role="alert">
      <p>
        {reason ?? "The card form could not be loaded. Please check your connection, and whether something in your browser blocks js.stripe.com."}
        {" "}Nothing was charged.
      </p>
      <button type="button" className="button button-plain" onClick={onAgain}>Load the card form again</button>
    </div>
  );
}

/** Whether the money was taken, or will be without anything more from the payer. */
function isTaken({ paymentIntent }: PaymentIntentResult): boolean {
  return paymentIntent?.status === "succeeded" || paymentIntent?.status === "processing";
}

function messageOf(error: StripeError | undefined): string {
  return error?.message ?? "The payment could not be completed. Please try again or use another card.";
}

/** The props of a payment form, for every payment provider. */
export interface PaymentFormProps {
  clientSecret: string;
  amountCents: number;
  /** The address to return to from a payment method that leaves the site. */
  returnUrl: string;
  /** The entrant, to prefill the provider's fields. */
  person: { name: string; email: string; phone: string };
  publishableKey: string;
  busy: boolean;
  /** Runs one task at a time. */
  run: (task: () => Promise<unknown>) => Promise<void>;
  /** Whether the payment still has the amount and state shown here. If not, this shows the reason itself. */
  mayPay: () => Promise<boolean>;
  /** Called just before the payment is sent to the provider. */
  onPaying: () => void;
  /** The provider has accepted the payment or is processing it. */
  onConfirmed: (paymentId: string) => Promise<void>;
  onDeclined: (message: string) => void;
  /** The provider's response was lost, so the outcome of the payment is unknown. */
  onUnknown: () => void;
}

/** The payment's id, which is the first part of its client secret. */
export function paymentIdOf(clientSecret: string): string {
  return clientSecret.replace(/_secret_.*$/, "");
}

/** The site's colours and shapes for the card form, which lives in the provider's frames and cannot use our style sheet. */
function appearance(): Appearance {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  return {
    theme: "stripe",
    labels: "above",
    variables: {
      colorPrimary: token("rose"),
      colorBackground: token("field"),
      colorText: token("ink"),
      colorTextSecondary: token("ink-soft"),
      colorTextPlaceholder: token("control-line"),
      colorDanger: token("rose-deep"),
      fontFamily: token("sans"),
      fontSizeBase: styles.fontSize,
      borderRadius: "2px",
      spacingUnit: "5px",
    },
    rules: {
      ".Label": { fontWeight: "500", color: token("ink") },
      ".Input": { border: `1px solid ${token("control-line")}`, boxShadow: "none", padding: "14px 16px" },
      ".Input:hover": { borderColor: token("ink") },
      ".Input:focus": { borderColor: token("ink"), boxShadow: "none", outline: `2px solid ${token("rose")}` },
      ".Input--invalid": { borderColor: token("rose-deep"), boxShadow: "none" },
      ".Tab": { border: `1px solid ${token("hairline")}`, boxShadow: "none" },
      ".Tab--selected": { borderColor: token("ink"), boxShadow: `inset 0 0 0 1px ${token("ink")}` },
      ".Error": { fontWeight: "500" },
    },
  };
}
