import { useEffect, useId, useState } from "react";
import useSWR from "swr";
import type { Kind } from "../../lib/page";
import { Dialog } from "../../kit/dialog";
import { Failure } from "../shell/failure";
import { MailFrame } from "../shell/mail-frame";
import { statusWord } from "../shell/statuses";

/** The longest line that the server takes. */
const longestLine = 1000;
/** After so long without a key, the preview is read anew. */
const pause = 400;

interface Letter {
  recipient: string;
  subject: string;
  /** What speaks against sending it. */
  warning?: string | null;
}

interface Props {
  kind: Kind;
  id: number;
  status: string;
  line: string;
  busy: boolean;
  onLine: (line: string) => void;
  onSend: () => void;
  onClose: () => void;
}

/** The email that goes with a decision: read, given a line of its own, and sent. */
export function DecisionMail({ kind, id, status, line, busy, onLine, onSend, onClose }: Props) {
  const field = useId();
  const { data: letter, error, mutate } = useSWR<Letter, unknown>(["/api", kind, String(id), `decision-mail?status=${status}`], { revalidateOnMount: true });
  const shown = useLater(line.trim());
  const src = `/api/${kind}/${id}/decision-mail/html?${new URLSearchParams({ status, ...(shown && { personalLine: shown }) }).toString()}`;
  const send = letter && (
    <button type="button" className="button button-primary" aria-disabled={busy} onClick={onSend}>{busy ? "Sending..." : "Save and send"}</button>
  );
  return (
    <Dialog eyebrow={`Email for \u201c${statusWord(status, kind)}\u201d`} title={letter?.subject ?? "The email for this decision"} closeLabel="Cancel" actions={send} onClose={onClose}>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The email could not be loaded.</Failure>}
      {error === undefined && !letter && <p className="admin-waiting">Loading the email...</p>}
      {letter && (
        <>
          {letter.warning && <p className="form-notice" role="alert">{letter.warning}</p>}
          <p className="soft">To {letter.recipient}</p>
          <label className="field-label" htmlFor={field}>Add a line to this email <span className="optional-mark">(optional)</span></label>
          <textarea id={field} className="input" rows={2} maxLength={longestLine} autoComplete="off" value={line} onChange={(event) => onLine(event.target.value)} />
          <MailFrame title={`The email "${letter.subject}"`} src={src} />
        </>
      )}
    </Dialog>
  );
}

/** The text as it was when nobody had typed for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
