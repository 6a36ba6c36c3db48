import { Link } from "wouter";
import { CorrectAddress, MailState } from "../outbox/mail-page";
import { Instant } from "../shell/admin-context";
import type { Registration } from "../shell/kinds";
import { sectionPath } from "../shell/sections";
import { isStale, type Versioned } from "../shell/versioned";
import { correctAddress } from "./api";
import type { Kind, ListedMail } from "../../lib/answer-types";

/** Emails to the person and about the person, newest first. */
export function RecordMails({ kind, opened, onCorrected }: { kind: Kind; opened: Versioned<Registration>; onCorrected: () => unknown }) {
  const record = opened.value;
  const mails = record.mails as ListedMail[] | undefined;
  if (!Array.isArray(mails)) return null;
  const email = String(record.email);
  const sent = mails.filter(({ state, recipient }) => state === "sent" && recipient.toLowerCase() === email.toLowerCase());
  const correct = async (corrected: string, again: number[], confirm: boolean) => {
    try {
      await correctAddress(kind, opened, corrected, again, confirm);
    } catch (error) {
      // If somebody else has changed the record, it is loaded again.
      if (isStale(error)) void onCorrected();
      throw error;
    }
    await onCorrected();
  };
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
      {email.includes("@") && <CorrectAddress key={email} current={email} sent={sent} onCorrect={correct} />}
    </section>
  );
}
