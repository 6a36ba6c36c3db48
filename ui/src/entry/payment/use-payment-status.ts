import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "../../lib/api-error";
import { askPaymentStatus, type PaymentStatus } from "../api";

/** Seconds until the next question while a payment is being processed; after the last nobody is kept waiting. */
const pace = [2, 3, 5, 5, 10, 10, 15, 15, 20, 20];

export interface Asked {
  /** Nothing until the first answer is here. */
  status?: PaymentStatus;
  /** The server knows no such payment. */
  unknown: boolean;
  /** The question itself failed. */
  failed: boolean;
  /** Still processing, and not asked any more by itself. */
  tired: boolean;
  askAgain: () => void;
}

interface Answer {
  /** Which question it answers: the payment, and how often somebody asked again. */
  key: string;
  status?: PaymentStatus;
  error?: unknown;
  tired?: boolean;
}

/** Asks what became of a payment, again and again while it is being processed. */
export function usePaymentStatus(clientSecret: string | undefined, onAnswer?: (status: PaymentStatus) => void): Asked {
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer>({ key: "" });
  const tell = useEffectEvent((status: PaymentStatus) => onAnswer?.(status));
  const key = `${clientSecret} ${round}`;

  useEffect(() => {
    if (!clientSecret) return;
    let isCurrent = true;
    let latest: Answer = { key };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (asked: number): Promise<void> => {
      const wait = pace[asked];
      try {
        const status = await askPaymentStatus(clientSecret);
        latest = { key, status, tired: status.state === "processing" && wait === undefined };
      } catch (error) {
        latest = { ...latest, error };
      }
      if (!isCurrent) return;
      setAnswer(latest);
      if (latest.status && latest.error === undefined) tell(latest.status);
      if (latest.status?.state === "processing" && wait !== undefined) timer = setTimeout(() => void ask(asked + 1), wait * 1000);
    };
    void ask(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [clientSecret, key]);

  const { status, error, tired = false }: Partial<Answer> = answer.key === key ? answer : {};
  const unknown = error instanceof ApiError && error.status === 404;
  return { status, unknown, failed: error !== undefined && !unknown, tired, askAgain: () => setRound(round + 1) };
}
