import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../lib/api-error";
import { askPaymentStatus, type PaymentStatus } from "../api";

/** The seconds between two requests while a payment is being processed. After the last one the visitor must ask again. */
const intervals = [2, 3, 5, 5, 10, 10, 15, 15, 20, 20];

export interface Asked {
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
