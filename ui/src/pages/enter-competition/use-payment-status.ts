import { useRef, useState } from "react";
import useSWR from "swr";
import { ApiError } from "../../api/api-error";
import { askPaymentStatus, type PaymentStatus } from "../../api/payment";
import { swrSettings } from "../../api/swr-settings";

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

/** Asks what became of a payment, again and again while it is being processed. */
export function usePaymentStatus(clientSecret: string | undefined, onAnswer?: (status: PaymentStatus) => void): Asked {
  const [round, setRound] = useState(0);
  const [tired, setTired] = useState(false);
  const asked = useRef(0);
  const { data, error, isLoading } = useSWR<PaymentStatus, unknown>(
    clientSecret ? ["/api/competition-payments/status", clientSecret, round] : null,
    ([, secret]: [string, string]) => askPaymentStatus(secret),
    {
      ...swrSettings,
      revalidateOnMount: true,
      refreshInterval: (latest) => {
        if (latest?.state !== "processing") return 0;
        return (pace[asked.current] ?? 0) * 1000;
      },
      onSuccess: (status) => {
        if (status.state === "processing") asked.current += 1;
        setTired(asked.current >= pace.length);
        onAnswer?.(status);
      },
    },
  );
  const askAgain = () => {
    asked.current = 0;
    setTired(false);
    setRound(round + 1);
  };
  const unknown = error instanceof ApiError && error.status === 404;
  return { status: data, unknown, failed: Boolean(error) && !unknown && !isLoading, tired, askAgain };
}
