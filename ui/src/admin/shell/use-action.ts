import { detailOf } from "../../lib/api-error";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { endsSession } from "./session";

/**
 * Changes something on the server and shows the outcome as a notification. A 401 leads back to the sign-in form.
 * `onFailed` is for what else a failure changes; it returns true if the page shows the failure itself, without a notification.
 */
export function useAction() {
  const { busy, run } = useBusy();
  const act = (task: () => Promise<unknown>, done: { title: string; message: string }, failed: string, onFailed: (error: unknown) => boolean | void = () => {}) => run(async () => {
    try {
      await task();
      toast(done);
    } catch (error) {
      if (endsSession(error)) return;
      if (onFailed(error) !== true) toast({ title: "Error", message: detailOf(error) ?? failed, tone: "destructive" });
    }
  });
  return { busy, act };
}
