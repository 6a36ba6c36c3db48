import { dollars } from "../../lib/money";
import { post } from "../../lib/request";
import { useFocusAfter } from "../../kit/use-busy";
import { paymentIdOf, type PaymentFormProps } from "./card-form";

interface DemoPayment {
  status: "succeeded" | "requires_payment_method";
  message?: string;
}

/** The demo's payment form. It takes the same path as a card payment, without money. */
export function DemoForm({ clientSecret, amountCents, busy, run, mayPay, onPaying, onConfirmed, onDeclined, onUnknown }: PaymentFormProps) {
  const payButton = useFocusAfter(busy);
  const pay = (outcome: "succeed" | "decline") => run(async () => {
    if (!(await mayPay())) return;
    onPaying();
    const payment = await post<DemoPayment>("/api/demo-payment", { clientSecret, outcome }).catch(() => undefined);
    if (!payment) onUnknown();
    else if (payment.status === "succeeded") await onConfirmed(paymentIdOf(clientSecret));
    else onDeclined(payment.message ?? "Your card was declined.");
  });
  return (
    <div className="demo-payment" role="group" aria-labelledby="demo-payment-title">
      <h2 id="demo-payment-title" className="title">Demonstration payment</h2>
      <p>No card is asked for and no money moves. Choose how this payment ends, or close the tab to leave it unpaid.</p>
      <p className="test-card figures"><span className="hidden-text">A test card, </span>4242 4242 4242 4242</p>
      <button ref={payButton} type="button" className="button button-primary" disabled={busy} onClick={() => void pay("succeed")}>
        {busy ? "Processing..." : `Pay ${dollars(amountCents)} with the test card`}
      </button>
      <button type="button" className="button button-outline" disabled={busy} onClick={() => void pay("decline")}>
        Pay with a card that is declined
      </button>
    </div>
  );
}
