import { useState } from "react";
import { Link, useLocation } from "wouter";
import { array, includes, maxLength, object, pipe, string, transform, trim } from "valibot";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { Loaded } from "../../kit/loaded";
import type { ListedMail, MailDetails } from "../../lib/answer-types";
import { detailOf } from "../../lib/api-error";
import { kinds } from "../../lib/page";
import { Checkbox } from "../../kit/checkbox";
import { TextField } from "../../kit/field";
import { SectionHead } from "../shell/parts";
import { addressWith, useAddress } from "../shell/address";
import { Instant } from "../shell/admin-context";
import { kindLabels, recordPath } from "../shell/kinds";
import { MailFrame } from "../shell/mail-frame";
import { formatBytes } from "../shell/numbers";
import { useAction, useActionForm } from "../shell/use-form";
import { StatusMark } from "../shell/status-mark";
import { canBeCorrected, canBeRetried, correctMail, discardMail, mailHtmlPath, sendNow, useMail } from "./api";

/** One email as it was or will be sent. */
export function MailPage({ id }: { id: number }) {
  const read = useMail(id);
  const params = useAddress();
  const [, goTo] = useLocation();
  return (
    <>
      <SectionHead back={{ id: null }} backTo="All emails" title={<>{read.data?.subject ?? `Email ${id}`}</>} />
      <Loaded of={read} loading="Loading the email…" failed="This email could not be loaded." missing={<p className="empty">There is no email with the number {id}.</p>} keepsData>
        {(mail) => (
          <>
            <Facts mail={mail} />
            {canBeRetried(mail) && <Actions mail={mail} onDone={() => read.mutate()} />}
            {canBeCorrected(mail) && (
              <CorrectAddress current={mail.recipient} onCorrect={async (email, _, confirm) => goTo(addressWith(params, { id: (await correctMail(mail.id, email, confirm)).id }))} />
            )}
            <Preview mail={mail} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Facts({ mail }: { mail: MailDetails }) {
  const kind = kinds.find((one) => one === mail.kind);
  return (
    <dl className="mail-facts">
      <div><dt>State</dt><dd><MailState mail={mail} /></dd></div>
      <div><dt>To</dt><dd>{mail.recipient}</dd></div>
      <div><dt>Written</dt><dd><Instant at={mail.createdAt} /></dd></div>
      {mail.sentAt && <div><dt>Sent</dt><dd><Instant at={mail.sentAt} /></dd></div>}
      {mail.state === "waiting" && mail.attempts > 0 && <div><dt>Next attempt</dt><dd><Instant at={mail.dueAt} /></dd></div>}
      {mail.attempts > 0 && <div><dt>Attempts</dt><dd className="figures">{mail.attempts}</dd></div>}
      {kind && mail.registrationId !== null && (
        <div><dt>About</dt><dd><Link href={recordPath(kind, mail.registrationId)}>{kindLabels[kind].singular} {mail.registrationId}</Link></dd></div>
      )}
      {mail.attachments.length > 0 && (
        <div><dt>Files</dt><dd>{mail.attachments.map(({ fileName, bytes }) => `${fileName} (${formatBytes(bytes)})`).join(", ")}</dd></div>
      )}
      {mail.lastError && <div className="is-long"><dt>What the mail server said</dt><dd className="row-error">{mail.lastError}</dd></div>}
    </dl>
  );
}

function Actions({ mail, onDone }: { mail: MailDetails; onDone: () => unknown }) {
  const { busy, act } = useAction(onDone);
  const [isDiscarding, setDiscarding] = useState(false);
  const send = () => act(
    () => sendNow(mail.id),
    { title: mail.attempts > 0 ? "Sending Again" : "Sending", message: `The email to ${mail.recipient} is being sent now.` },
    "The email could not be sent now. Please try again.",
  );
  const discard = () => act(
    () => discardMail(mail.id).finally(() => setDiscarding(false)),
    { title: "Email Discarded", message: "It will not be sent." },
    "The email could not be discarded. Please try again.",
  );
  return (
    <div className="card-buttons">
      <Button look="outline" inactive={busy} onClick={send}>Send now</Button>
      <Button look="outline" inactive={busy} onClick={() => setDiscarding(true)}>Discard…</Button>
      {isDiscarding && (
        <Dialog small title="Discard this email?" onClose={() => setDiscarding(false)} closeLabel="Cancel" actions={<Button busy={busy} busyLabel="Discarding…" onClick={discard}>Discard</Button>}>
          <p>It will not be sent to {mail.recipient}. This cannot be undone.</p>
        </Dialog>
      )}
    </div>
  );
}

/** As the recipient sees it, or as plain text. */
function Preview({ mail }: { mail: MailDetails }) {
  const [asText, setAsText] = useState(false);
  return (
    <section className="admin-part" aria-labelledby="preview-title">
      <div className="part-head">
        <h2 id="preview-title">Preview</h2>
        <Button look="text" onClick={() => setAsText(!asText)}>{asText ? "Show as HTML" : "Show as text"}</Button>
      </div>
      {mail.isTrimmed && <p className="soft">This email was sent a while ago. Its exact text and files are no longer kept; this is what the current template makes of it.</p>}
      {asText
        ? <pre className="mail-text">{mail.text}</pre>
        : <MailFrame title={`The email "${mail.subject}"`} src={mailHtmlPath(mail.id)} />}
    </section>
  );
}

interface Props {
  current: string;
  /** Emails that went to the current address; the chosen ones go to the corrected one, too. */
  sent?: ListedMail[];
  /** Sends the correction with the ids of the emails to send again, and whether another person's address is meant. */
  onCorrect: (email: string, mails: number[], confirm: boolean) => Promise<unknown>;
}

/** Another address for a registration: what could not be delivered to the old one is sent again. */
export function CorrectAddress(props: Props) {
  const [open, setOpen] = useState(false);
  if (!open) return <p><Button look="text" onClick={() => setOpen(true)}>Correct the address and send again…</Button></p>;
  return <CorrectionForm {...props} onLeave={() => setOpen(false)} />;
}

const schema = object({
  email: pipe(string(), trim(), includes("@", "Please enter an email address."), maxLength(200, "Please use at most 200 characters.")),
  mails: pipe(array(string()), transform((ids) => ids.map(Number))),
});

/** What the server says if the address is another person's, without its advice for programs. */
const otherPerson = (error: unknown) => / belongs to .+? as well \(.+?\)\./.exec(detailOf(error) ?? "")?.[0];

function CorrectionForm({ current, sent = [], onCorrect, onLeave }: Props & { onLeave: () => void }) {
  const { busy, field, register, submit } = useActionForm(schema, { email: current, mails: sent.map(({ id }) => String(id)) }, onLeave);
  const [question, setQuestion] = useState<{ email: string; text: string }>();
  const correct = submit(
    ({ email, mails }) => onCorrect(email, mails, question?.email === email).catch((error) => {
      const other = otherPerson(error);
      setQuestion(other === undefined ? undefined : { email, text: `${email}${other} Send anyway?` });
      throw error;
    }),
    ({ email }) => ({ title: "Address Corrected", message: `The address is now ${email}.` }),
    "The address could not be corrected. Please try again.",
    // The form asks the question itself.
    (error) => otherPerson(error) !== undefined,
  );
  return (
    <form className="panel correct-address" aria-label="Correct the address" onSubmit={correct} onChange={() => setQuestion(undefined)} noValidate>
      <p className="soft">Now: {current}. The old address stays in the history. Emails to it that have not been sent, and those that you choose here, go to the new one.</p>
      {/* The form is opened to type the address. */}
      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
      <TextField label="Correct email address" type="email" spellCheck={false} autoFocus {...field("email")} />
      {sent.length > 0 && (
        <fieldset className="field">
          <legend className="field-label">Send these again</legend>
          {sent.map(({ id, subject, createdAt }) => <Checkbox key={id} value={id} label={<>{subject} <span className="soft"><Instant at={createdAt} /></span></>} {...register("mails")} />)}
        </fieldset>
      )}
      {question && <p className="form-notice" role="alert">{question.text}</p>}
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Correcting…">{question ? "Send anyway" : "Correct and send again"}</Button>
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
    </form>
  );
}

export function MailState({ mail }: { mail: ListedMail }) {
  return <StatusMark status={`mail_${mail.state}`} />;
}
