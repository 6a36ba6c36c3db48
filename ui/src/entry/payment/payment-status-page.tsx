import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { LashesComplete } from "../../brand/lashes";
import { ApiError } from "../../lib/api-error";
import { askPaymentStatus, type PaymentStatus } from "../api";
import { StepHead, BarStatus } from "../step-head";
import type { EntryData } from "../entry-data.server";
import { forgetPayment } from "../storage/entry-attempt";
import { storageName } from "../storage/own-payments";
import { paymentResultOf } from "./use-entry-payment";

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
export function PaymentStatusPage({ data, clientSecret, onPaid, onRetry, onBack, onNew, onAnother }: Props) {
  const { status, unknown, failed, gaveUp, askAgain } = usePaymentStatus(clientSecret);
  const result = status && paymentResultOf(status);
  const handlePaid = useEffectEvent(onPaid);
  useEffect(() => {
    if (status && result === "registered") handlePaid(status);
  }, [status, result]);

  usePaidElsewhere(result === "unpaid" ? clientSecret : undefined, askAgain);

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
      <StatusMessage title="We can't find this payment" actions={<button type="button" className="button button-outline" onClick={onNew}>Go to the form</button>}>
        This link doesn't match a payment. If you have paid, your confirmation will come by email, and you
        don't need to pay again. {write}
      </StatusMessage>
    );
  }
  if (failed) {
    return <StatusMessage title="We could not check your payment" actions={again}>Your payment itself is not affected. Please do not pay again until you know its status. {write}</StatusMessage>;
  }
  switch (result) {
    case "held":
      return (
        <StatusMessage title="We have your payment and are looking at it" actions={<>{again}{another}</>}>
          We have received your payment, but your entry is not confirmed yet. We will look into it and write to you. Please do
          not pay again. {write}
        </StatusMessage>
      );
    case "partially_refunded":
      return (
        <StatusMessage title="A part of your payment was given back" actions={another}>
          Your registration is still valid, and part of what you paid for it was given back to you. {write}
        </StatusMessage>
      );
    case "refunded":
      return (
        <StatusMessage title="Your payment was given back" actions={<button type="button" className="button button-primary" onClick={onRefunded}>Go to the form</button>}>
          The whole payment was given back to you, so this entry is no longer registered. It may take a few days until your
          bank shows it. {write}
        </StatusMessage>
      );
    case "disputed":
      return (
        <StatusMessage title="Your payment is disputed" actions={another}>
          The bank of the card has asked for this payment back, so this entry is not confirmed. Please do not pay
          again before that is settled. {write}
        </StatusMessage>
      );
    case "processing":
      return (
        <StatusMessage title="Your payment is being processed" waiting={!gaveUp} actions={<>{gaveUp && again}{another}</>}>
          {gaveUp
            ? "It takes longer than usual. You can close this page. Once the payment has gone through, your registration is complete and you will get a confirmation email."
            : "Some payment methods take a moment. You don't need to pay again. This page updates by itself, and you will get a confirmation email."}
        </StatusMessage>
      );
    case "unpaid":
      return (
        <StatusMessage title="Payment Failed" actions={<><button type="button" className="button button-primary" onClick={() => status && onRetry(status)}>Try the payment again</button>{back}</>}>
          The payment was not completed, and nothing was charged. Your entry is kept: try again with the same or another payment method.
        </StatusMessage>
      );
    case "complimentary":
      return (
        <StatusMessage title="Your entry is complete" actions={another}>
          There is nothing to pay: we let you take part without a payment. We have sent you a confirmation email. {write}
        </StatusMessage>
      );
    case "cancelled":
      return (
        <StatusMessage title="This payment was cancelled" actions={<button type="button" className="button button-primary" onClick={onNew}>Back to the form</button>}>
          Nothing was charged, and this entry is not registered. A payment is cancelled when several cards did not work, when
          it is not made within a day, or when we have withdrawn the entry. You can start again from the form, but write to us
          first if the entry was withdrawn. Your answers are kept on the device where you typed them. {write}
        </StatusMessage>
      );
    default:
      return <StatusMessage title="Checking your payment" waiting>One moment: we are checking what happened to it.</StatusMessage>;
  }
}

function StatusMessage({ title, waiting = false, actions, children }: { title: string; waiting?: boolean; actions?: ReactNode; children: ReactNode }) {
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

/** The seconds between two requests while a payment is being processed. After the last one the visitor must ask again. */
const intervals = [2, 3, 5, 5, 10, 10, 15, 15, 20, 20];

interface Asked {
  /** Undefined until the first answer has arrived. */
  status?: PaymentStatus;
  /** The server knows no such payment. */
  unknown: boolean;
  /** The request failed. */
  failed: boolean;
  /** The payment is still being processed, but the page has stopped asking. */
  gaveUp: boolean;
  askAgain: () => void;
}

interface Answer {
  /** The request that it answers: the payment, and how often the visitor has asked again. */
  key: string;
  status?: PaymentStatus;
  error?: unknown;
  gaveUp?: boolean;
}

/** Fetches the state of a payment, repeatedly while it is being processed. */
export function usePaymentStatus(clientSecret: string | undefined, onAnswer?: (status: PaymentStatus) => void): Asked {
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer>({ key: "" });
  const handleAnswer = useEffectEvent((status: PaymentStatus) => onAnswer?.(status));
  const key = `${clientSecret} ${round}`;

  useEffect(() => {
    if (!clientSecret) return;
    let isCurrent = true;
    let latest: Answer = { key };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (asked: number): Promise<void> => {
      const wait = intervals[asked];
      try {
        const status = await askPaymentStatus(clientSecret);
        latest = { key, status, gaveUp: status.state === "processing" && wait === undefined };
      } catch (error) {
        latest = { ...latest, error };
      }
      if (!isCurrent) return;
      setAnswer(latest);
      if (latest.status && latest.error === undefined) handleAnswer(latest.status);
      if (latest.status?.state === "processing" && wait !== undefined) timer = setTimeout(() => void ask(asked + 1), wait * 1000);
    };
    void ask(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [clientSecret, key]);

  const { status, error, gaveUp = false }: Partial<Answer> = answer.key === key ? answer : {};
  const unknown = error instanceof ApiError && error.status === 404;
  return { status, unknown, failed: error !== undefined && !unknown, gaveUp, askAgain: () => setRound(round + 1) };
}

/** Calls back when an unpaid payment has been made in another tab: as that tab notes it, or when the visitor returns to this one. */
export function usePaidElsewhere(clientSecret: string | undefined, onPaid: () => void): void {
  const handlePaid = useEffectEvent(onPaid);
  useEffect(() => {
    if (!clientSecret) return;
    let isCurrent = true;
    const ask = async () => {
      // Without an answer the page stays as it is, also for a payment that another tab has replaced: paying asks again.
      const status = await askPaymentStatus(clientSecret).catch(() => undefined);
      if (isCurrent && status && status.state !== "unpaid" && status.state !== "cancelled") handlePaid();
    };
    const onReturn = () => document.visibilityState === "visible" && void ask();
    const onStorage = ({ key }: StorageEvent) => key === storageName && void ask();
    document.addEventListener("visibilitychange", onReturn);
    addEventListener("storage", onStorage);
    return () => {
      isCurrent = false;
      document.removeEventListener("visibilitychange", onReturn);
      removeEventListener("storage", onStorage);
    };
  }, [clientSecret]);
}
