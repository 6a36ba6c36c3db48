import { Link } from "wouter";
import type { Kind } from "../../lib/page";
import { CorrectAddress } from "../outbox/correct-address";
import { Instant } from "../shell/instant";
import type { Registration } from "../shell/kinds";
import type { Mail } from "../outbox/mail";
import { MailState } from "../outbox/mail-state";
import { sectionPath } from "../shell/sections";

/** What was written to the person, and about the person, newest first. */
export function RecordMails({ kind, record, onCorrected }: { kind: Kind; record: Registration; onCorrected: () => unknown }) {
  const mails = record.mails as Mail[] | undefined;
  if (!Array.isArray(mails)) return null;
  const email = String(record.email);
  const sent = mails.filter(({ state, recipient }) => state === "sent" && recipient.toLowerCase() === email.toLowerCase());
  return (
    <section className="history" aria-labelledby="mails-title">
      <h2 id="mails-title">Emails</h2>
      {mails.length === 0 && <p className="soft">No emails sent yet.</p>}
      <ol reversed>
        {[...mails].reverse().map((mail) => (
          <li key={mail.id}>
            <p><Link href={`${sectionPath("outbox")}?id=${mail.id}`}>{mail.subject}</Link></p>
            <p className="soft"><Instant at={mail.createdAt} /> to {mail.recipient}</p>
            <p><MailState mail={mail} /></p>
          </li>
        ))}
      </ol>
      {email.includes("@") && <CorrectAddress key={email} path={`/api/${kind}/${record.id}/address`} current={email} sent={sent} onCorrected={onCorrected} />}
    </section>
  );
}
