import { useState } from "react";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { detailOf } from "../../lib/api-error";
import { endsSession } from "../shell/session";
import type { Outcome } from "./api";

interface Messages {
  sent: { title: string; message: string };
  /** The title when the mail server has not taken it yet; the server gives the message. */
  queued: string;
  failed: { title: string; message: string };
}

/** Sends a report and shows the outcome as a notification; `refusal` is the reason that the server gave for a failure. */
export function useSending({ sent, queued, failed }: Messages) {
  const { busy, run } = useBusy();
  const [refusal, setRefusal] = useState<string>();
  const send = (task: () => Promise<Outcome>) => run(async () => {
    try {
      const outcome = await task();
      toast(outcome.state === "queued" ? { title: queued, message: outcome.detail } : sent);
      setRefusal(undefined);
    } catch (error) {
      if (endsSession(error)) return;
      toast({ ...failed, tone: "destructive" });
      setRefusal(detailOf(error));
    }
  });
  return { busy, refusal, send };
}
