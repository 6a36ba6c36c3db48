import { useState } from "react";
import { useSend, Form, FormFailure } from "../../kit/form";
import { Button } from "../../kit/button";
import { LongTextField } from "../../kit/field";

/** Nominations with equal points, which the head judge puts in order by their codes alone. */
export function TieOrder({ codes, onSave }: { codes: string[]; onSave: (order: string[], reason: string) => Promise<void> }) {
  const { busy, errors, failure, send } = useSend({ fields: ["reason"] });
  const [order, setOrder] = useState(codes);
  const [reason, setReason] = useState("");
  const raise = (at: number) => setOrder([...order.slice(0, at - 1), order[at]!, order[at - 1]!, ...order.slice(at + 1)]);
  return (
    <Form className="tie-order" errors={errors} onSend={() => send(() => onSave(order, reason.trim()), { reason: reason.trim() === "" && "Please give a reason" })}>
      <p>These have the same points, and the tie-break rules could not separate them. Put the best first.</p>
      <ol>
        {order.map((code, at) => (
          <li key={code}><span className="figures">{code}</span> <Button look="text" inactive={at === 0} onClick={() => raise(at)}>Move up<span className="hidden-text"> {code}</span></Button></li>
        ))}
      </ol>
      <p role="status" className="hidden-text">{order.join(", ")}</p>
      <LongTextField label="Reason" note="(for the record)" rows={2} maxLength={500} value={reason} error={errors.reason} onChange={({ target }) => setReason(target.value)} />
      <FormFailure>{failure}</FormFailure>
      <Button type="submit" busy={busy} busyLabel="Saving…">Save this order</Button>
    </Form>
  );
}
