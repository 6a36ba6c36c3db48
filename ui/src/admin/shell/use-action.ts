import { detailOf } from "../../lib/api-error";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { endsSession } from "./session";

/**
 * Changes something on the server and shows the outcome as a notification. A 401 leads back to the sign-in form;
 * `onFailed` is for what else a failure changes.
 */
export function useAction() {
  const { busy, run } = useBusy();
  const act = (task: () => Promise<unknown>, done: { title: string; message: string }, failed: string, onFailed: (error: unknown) => void = () => {}) => run(async () => {
    try {
      await task();
      toast(done);
    } catch (error) {
      if (endsSession(error)) return;
      toast({ title: "Error", message: detailOf(error) ?? failed, tone: "destructive" });
      onFailed(error);
    }
  });
  return { busy, act };
}
