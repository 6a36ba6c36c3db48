import useSWR from "swr";
import type { Kind } from "../api/page";
import { Dialog } from "../parts/dialog";
import { Failure } from "./failure";
import { statusWord } from "./statuses";

interface Letter {
  recipient: string;
  subject: string;
  text: string;
}

/** The mail that would go with a decision, to read before it is sent. */
export function DecisionMail({ kind, id, status, onClose }: { kind: Kind; id: number; status: string; onClose: () => void }) {
  const key = ["/api", kind, String(id), `decision-mail?status=${status}`];
  const { data: letter, error, mutate } = useSWR<Letter, unknown>(key, { revalidateOnMount: true });
  return (
    <Dialog eyebrow={`${statusWord(status)}: the mail`} title={letter?.subject ?? "The mail for this decision"} onClose={onClose}>
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The mail could not be read.</Failure>}
      {error === undefined && !letter && <p className="desk-waiting">Writing the mail...</p>}
      {letter && (
        <>
          <p className="soft">To {letter.recipient}</p>
          <pre className="mail-text">{letter.text}</pre>
        </>
      )}
    </Dialog>
  );
}
