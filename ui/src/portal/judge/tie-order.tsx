import { useState, type FormEvent } from "react";
import { detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { LongTextField } from "../../kit/field";
import { useBusy } from "../../kit/use-busy";

/** Nominations with equal points, which the head judge puts in order by their codes alone. */
export function TieOrder({ codes, onSave }: { codes: string[]; onSave: (order: string[], reason: string) => Promise<void> }) {
  const { busy, run } = useBusy();
  const [order, setOrder] = useState(codes);
  const [reason, setReason] = useState("");
  const [error, setError] = useState("");
  const raise = (at: number) => setOrder([...order.slice(0, at - 1), order[at]!, order[at - 1]!, ...order.slice(at + 1)]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === "") return setError("Please give a reason");
    void run(() => onSave(order, reason.trim()).catch((failure) => setError(detailOf(failure) ?? "Nothing was saved. Please check your connection and try again.")));
  };
  return (
    <form className="tie-order" onSubmit={submit} noValidate>
      <p>These have the same points, and the tie-break rules could not separate them. Put the best first.</p>
      <ol>
        {order.map((code, at) => (
          <li key={code}><span className="figures">{code}</span> {at > 0 && <Button look="text" aria-label={`Move ${code} up`} onClick={() => raise(at)}>Move up</Button>}</li>
        ))}
      </ol>
      <LongTextField label="Reason" note="(for the record)" rows={2} maxLength={500} value={reason} error={error} onChange={({ target }) => setReason(target.value)} />
      <Button type="submit" busy={busy} busyLabel="Saving…">Save this order</Button>
    </form>
  );
}
