import { detailOf } from "../../lib/api-error";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { endsSession } from "./session";

/** Does something on the server and says how it went; a 401 leads back to the gate. */
export function useAction() {
  const { busy, run } = useBusy();
  const act = (task: () => Promise<unknown>, done: { title: string; message: string }, failed: string) => run(async () => {
    try {
      await task();
      toast(done);
    } catch (error) {
      if (endsSession(error)) return;
      toast({ title: "Error", message: detailOf(error) ?? failed, tone: "destructive" });
    }
  });
  return { busy, act };
}
