import { useEffect, useEffectEvent, type ReactNode } from "react";
import type { PaymentStatus } from "../api";
import { LashesComplete } from "../../brand/lashes-complete";
import { BarStatus } from "../bar-status";
import type { EntryData } from "../entry-data.server";
import { forgetPayment } from "../storage/entry-fill";
import { standingOf } from "./payment-standing";
import { StepHead } from "../step-head";
import { usePaymentStatus } from "./use-payment-status";

interface Props {
  data: EntryData;
  /** Nothing where the address says that there was a payment, and nobody knows which. */
  clientSecret: string | undefined;
  onPaid: (status: PaymentStatus) => void;
  onRetry: (status: PaymentStatus) => void;
  /** To the form, for a change of the same entry. */
  onBack: () => void;
  /** To the form, and to another payment. */
  onNew: () => void;
  /** To an empty form; this payment goes its way. */
  onAnother: () => void;
}

/** What became of a payment that was made elsewhere or takes its time. It says only what the server found out. */
export function PaymentOutcome({ data, clientSecret, onPaid, onRetry, onBack, onNew, onAnother }: Props) {
  const { status, unknown, failed, tired, askAgain } = usePaymentStatus(clientSecret);
  const standing = status && standingOf(status);
  const tellPaid = useEffectEvent(onPaid);
  useEffect(() => {
    if (status && standing === "registered") tellPaid(status);
  }, [status, standing]);

  const onGivenBack = () => {
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
        This link doesn't match a payment. If you have paid, your confirmation comes by email and you
        need not pay again. {write}
      </Outcome>
    );
  }
  if (failed) {
    return <Outcome title="We could not check your payment" actions={again}>We could not check; your payment is not affected. Please do not pay again before you know. {write}</Outcome>;
  }
  switch (standing) {
    case "held":
      return (
        <Outcome title="We have your payment and are looking at it" actions={<>{again}{another}</>}>
          Your payment has arrived, but your entry is not confirmed yet: a person looks at it and writes to you. Please do
          not pay again. {write}
        </Outcome>
      );
    case "partially_refunded":
      return (
        <Outcome title="A part of your payment was given back" actions={another}>
          Your registration stands, and a part of what you paid for it was given back to you. {write}
        </Outcome>
      );
    case "refunded":
      return (
        <Outcome title="Your payment was given back" actions={<button type="button" className="button button-primary" onClick={onGivenBack}>Go to the form</button>}>
          The whole payment was given back to you, so this entry is not registered any more. Your bank may take some days to
          show it. {write}
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
        <Outcome title="Your payment is being processed" waiting={!tired} actions={<>{tired && again}{another}</>}>
          {tired
            ? "It takes longer than usual. You can close this page: as soon as the payment has settled, your registration is complete and a confirmation email is on its way."
            : "Some ways to pay take a moment. You need not pay again; this page goes on by itself when it is done, and a confirmation email follows."}
        </Outcome>
      );
    case "unpaid":
      return (
        <Outcome title="Payment Failed" actions={<><button type="button" className="button button-primary" onClick={() => status && onRetry(status)}>Try the payment again</button>{back}</>}>
          The payment was not completed, and nothing was charged. Your entry is kept: try again with the same or another way to pay.
        </Outcome>
      );
    case "cancelled":
      return (
        <Outcome title="This payment was cancelled" actions={<button type="button" className="button button-primary" onClick={onNew}>Back to the form</button>}>
          Nothing was charged, and this entry is not registered. A payment is cancelled when several cards did not work, or when
          it is not made within a day. From the form you can begin another one; what you typed is kept on the device where you
          typed it.
        </Outcome>
      );
    default:
      return <Outcome title="Checking your payment" waiting>One moment: we are asking what became of it.</Outcome>;
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
