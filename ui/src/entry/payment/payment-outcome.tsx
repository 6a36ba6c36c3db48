import { useEffect, useEffectEvent, type ReactNode } from "react";
import type { PaymentStatus } from "../api";
import { LashesComplete } from "../../brand/lashes-complete";
import { BarStatus } from "../bar-status";
import type { EntryData } from "../entry-data.server";
import { forgetPayment } from "../storage/entry-attempt";
import { standingOf } from "./payment-standing";
import { StepHead } from "../step-head";
import { usePaymentStatus } from "./use-payment-status";

interface Props {
  data: EntryData;
  /** Undefined if the address says that there was a payment, but not which one. */
  clientSecret: string | undefined;
  onPaid: (status: PaymentStatus) => void;
  onRetry: (status: PaymentStatus) => void;
  /** Back to the form, to change the same entry. */
  onBack: () => void;
  /** To the form, to start another payment. */
  onNew: () => void;
  /** To an empty form, for another entry. This payment is left as it is. */
  onAnother: () => void;
}

/** The state of a payment that was made on another page or is still being processed. It shows only what the server has confirmed. */
export function PaymentOutcome({ data, clientSecret, onPaid, onRetry, onBack, onNew, onAnother }: Props) {
  const { status, unknown, failed, gaveUp, askAgain } = usePaymentStatus(clientSecret);
  const standing = status && standingOf(status);
  const handlePaid = useEffectEvent(onPaid);
  useEffect(() => {
    if (status && standing === "registered") handlePaid(status);
  }, [status, standing]);

  const onRefunded = () => {
    if (clientSecret) forgetPayment(clientSecret);
    onAnother();
  };
  const again = <button type="button" className="button button-primary" onClick={askAgain}>Ask again</button>;
  const back = <button type="button" className="button button-plain" onClick={onBack}>Back to the form</button>;
  const another = <button type="button" className="button button-plain" onClick={onAnother}>Enter somebody else</button>;
  const write = <>Questions? Write to <a href={`mailto:${data.email}`}>{data.email}</a>.</>;

  if (!clientSecret || unknown) {
    return (
      <Outcome title="We can't find this payment" actions={<button type="button" className="button button-outline" onClick={onNew}>Go to the form</button>}>
        This link doesn't match a payment. If you have paid, your confirmation will come by email, and you
        don't need to pay again. {write}
      </Outcome>
    );
  }
  if (failed) {
    return <Outcome title="We could not check your payment" actions={again}>Your payment itself is not affected. Please do not pay again until you know its status. {write}</Outcome>;
  }
  switch (standing) {
    case "held":
      return (
        <Outcome title="We have your payment and are looking at it" actions={<>{again}{another}</>}>
          We have received your payment, but your entry is not confirmed yet. We will look into it and write to you. Please do
          not pay again. {write}
        </Outcome>
      );
    case "partially_refunded":
      return (
        <Outcome title="A part of your payment was given back" actions={another}>
          Your registration is still valid, and part of what you paid for it was given back to you. {write}
        </Outcome>
      );
    case "refunded":
      return (
        <Outcome title="Your payment was given back" actions={<button type="button" className="button button-primary" onClick={onRefunded}>Go to the form</button>}>
          The whole payment was given back to you, so this entry is no longer registered. It may take a few days until your
          bank shows it. {write}
        </Outcome>
      );
    case "disputed":
      return (
        <Outcome title="Your payment is disputed" actions={another}>
          The bank of the card has asked for this payment back, so this entry is not confirmed. Please do not pay
          again before that is settled. {write}
        </Outcome>
      );
    case "processing":
      return (
        <Outcome title="Your payment is being processed" waiting={!gaveUp} actions={<>{gaveUp && again}{another}</>}>
          {gaveUp
            ? "It takes longer than usual. You can close this page. Once the payment has gone through, your registration is complete and you will get a confirmation email."
            : "Some payment methods take a moment. You don't need to pay again. This page updates by itself, and you will get a confirmation email."}
        </Outcome>
      );
    case "unpaid":
      return (
        <Outcome title="Payment Failed" actions={<><button type="button" className="button button-primary" onClick={() => status && onRetry(status)}>Try the payment again</button>{back}</>}>
          The payment was not completed, and nothing was charged. Your entry is kept: try again with the same or another payment method.
        </Outcome>
      );
    case "complimentary":
      return (
        <Outcome title="Your entry is complete" actions={another}>
          There is nothing to pay: we let you take part without a payment. We have sent you a confirmation email. {write}
        </Outcome>
      );
    case "cancelled":
      return (
        <Outcome title="This payment was cancelled" actions={<button type="button" className="button button-primary" onClick={onNew}>Back to the form</button>}>
          Nothing was charged, and this entry is not registered. A payment is cancelled when several cards did not work, when
          it is not made within a day, or when we have withdrawn the entry. You can start again from the form, but write to us
          first if the entry was withdrawn. Your answers are kept on the device where you typed them. {write}
        </Outcome>
      );
    default:
      return <Outcome title="Checking your payment" waiting>One moment: we are checking what happened to it.</Outcome>;
  }
}

function Outcome({ title, waiting = false, actions, children }: { title: string; waiting?: boolean; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="frame entry-step">
      <BarStatus step={2} />
      <StepHead step={1} title={title}>
        {waiting && <LashesComplete laid={false} />}
        <p className="lead">{children}</p>
        {actions && <div className="buttons">{actions}</div>}
      </StepHead>
    </div>
  );
}
