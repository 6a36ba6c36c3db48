import { useState, type ReactNode } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";

interface ReasonDialogProps {
  title: string;
  /** The label of the button that does it. */
  action: string;
  busy: boolean;
  onClose: () => void;
  onSend: (reason: string) => unknown;
  /** What it does, if the title does not say it all. */
  children?: ReactNode;
}

/** Asks for the reason, which is stored. */
export function ReasonDialog({ title, action, busy, onClose, onSend, children }: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  const [error, setError] = useState("");
  const send = () => (reason.trim() === "" ? setError("Please give a reason") : onSend(reason.trim()));
  return (
    <Dialog small title={title} onClose={onClose} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Saving…" onClick={send}>{action}</Button>}>
      {children}
      <LongTextField label="Reason" note="(for the record)" rows={3} maxLength={500} value={reason} error={error} onChange={({ target }) => setReason(target.value)} />
    </Dialog>
  );
}
