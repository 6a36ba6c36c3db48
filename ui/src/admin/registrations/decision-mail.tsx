import { useEffect, useState } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import type { Kind } from "../../lib/page";
import { MailFrame } from "../shell/mail-frame";
import { statusLabel } from "../shell/statuses";
import { decisionMailPath, useDecisionMail } from "./api";
import { longestLine, type DecisionValues } from "./decision-schema";

/** After so many ms without a key, the preview is loaded again. */
const previewDelay = 400;

interface Props {
  kind: Kind;
  id: number;
  status: string;
  form: UseFormReturn<DecisionValues>;
  busy: boolean;
  onSend: () => void;
  onClose: () => void;
}

/** The email that goes with a decision: previewed, given a personal line, and sent. */
export function DecisionMail({ kind, id, status, form: { control, register }, busy, onSend, onClose }: Props) {
  const read = useDecisionMail(kind, id, status);
  const line = useDelayed(useWatch({ control, name: "line" }).trim());
  const send = read.data && <Button busy={busy} busyLabel="Sending…" onClick={onSend}>Save and send</Button>;
  return (
    <Dialog eyebrow={`Email for \u201c${statusLabel(status, kind)}\u201d`} title={read.data?.subject ?? "The email for this decision"} closeLabel="Cancel" actions={send} onClose={onClose}>
      <Loaded of={read} loading="Loading the email…" failed="The email could not be loaded.">
        {({ recipient, subject, warning }) => (
          <>
            {warning && <p className="form-notice" role="alert">{warning}</p>}
            <p className="soft">To {recipient}</p>
            <LongTextField label="Add a line to this email" note="(optional)" rows={2} maxLength={longestLine} {...register("line")} />
            <MailFrame title={`The email "${subject}"`} src={decisionMailPath(kind, id, status, line)} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** The text, updated once nothing has been typed for a moment. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), previewDelay);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
