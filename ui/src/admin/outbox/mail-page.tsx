import { useState } from "react";
import useSWR from "swr";
import { Link } from "wouter";
import { ApiError } from "../../lib/api-error";
import { kinds } from "../../lib/page";
import { request } from "../../lib/request";
import { addressWith, goTo, useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { CorrectAddress } from "./correct-address";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { listPath, kindWords } from "../shell/kinds";
import { canBeCorrected, canBeRetried, sizeOf, type WholeMail } from "./mail";
import { MailFrame } from "../shell/mail-frame";
import { MailState } from "./mail-state";
import { useAction } from "../shell/use-action";

/** One mail as it was or will be sent. */
export function MailPage({ id }: { id: number }) {
  const { data: mail, error, mutate } = useSWR<WholeMail, unknown>(["/api", "outbox", String(id)]);
  const params = useAddress();
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All mails</AddressLink></p>
      <header className="admin-head"><AdminTitle>{mail?.subject ?? `Mail ${id}`}</AdminTitle></header>
      {missing && <p className="empty">There is no mail with the number {id}.</p>}
      {error !== undefined && !missing && <Failure error={error} onRetry={() => mutate()}>This mail could not be read.</Failure>}
      {error === undefined && !mail && <p className="admin-waiting">Reading the mail...</p>}
      {mail && (
        <>
          <Facts mail={mail} />
          {canBeRetried(mail) && <Actions mail={mail} onDone={() => mutate()} />}
          {canBeCorrected(mail) && (
            <CorrectAddress path={`/api/outbox/${mail.id}/correct`} current={mail.recipient} onCorrected={(again) => goTo(addressWith(params, { id: (again as WholeMail).id }))} />
          )}
          <Preview mail={mail} />
        </>
      )}
    </>
  );
}

function Facts({ mail }: { mail: WholeMail }) {
  const kind = kinds.find((one) => one === mail.kind);
  return (
    <dl className="facts">
      <div><dt>State</dt><dd><MailState mail={mail} /></dd></div>
      <div><dt>To</dt><dd>{mail.recipient}</dd></div>
      <div><dt>Written</dt><dd><Instant at={mail.createdAt} /></dd></div>
      {mail.sentAt && <div><dt>Sent</dt><dd><Instant at={mail.sentAt} /></dd></div>}
      {mail.state === "waiting" && mail.attempts > 0 && <div><dt>Next try</dt><dd><Instant at={mail.dueAt} /></dd></div>}
      {mail.attempts > 0 && <div><dt>Tries</dt><dd className="figures">{mail.attempts}</dd></div>}
      {kind && mail.registrationId !== null && (
        <div><dt>About</dt><dd><Link href={`${listPath(kind)}?id=${mail.registrationId}`}>{kindWords[kind].plural}, number {mail.registrationId}</Link></dd></div>
      )}
      {mail.attachments.length > 0 && (
        <div><dt>Files</dt><dd>{mail.attachments.map(({ fileName, bytes }) => `${fileName} (${sizeOf(bytes)})`).join(", ")}</dd></div>
      )}
      {mail.lastError && <div className="is-long"><dt>What the mail server said</dt><dd className="row-error">{mail.lastError}</dd></div>}
    </dl>
  );
}

function Actions({ mail, onDone }: { mail: WholeMail; onDone: () => unknown }) {
  const { busy, act } = useAction();
  const post = (what: "retry" | "discard") => async () => {
    await request(`/api/outbox/${mail.id}/${what}`, { method: "POST" });
    await onDone();
  };
  const retry = () => act(post("retry"), { title: "Sending Again", message: "Sending again now." }, "The mail was left as it is. Please try again.");
  const discard = () => act(post("discard"), { title: "Mail Discarded", message: "It will not be sent." }, "The mail was left as it is. Please try again.");
  return (
    <p className="card-buttons">
      <button type="button" className="button button-outline admin-button" aria-disabled={busy} onClick={retry}>Send now</button>
      <button type="button" className="button button-outline admin-button" aria-disabled={busy} onClick={discard}>Discard</button>
    </p>
  );
}

/** As the receiver sees it, or as plain text. */
function Preview({ mail }: { mail: WholeMail }) {
  const [asText, setAsText] = useState(false);
  return (
    <section className="admin-part" aria-labelledby="preview-title">
      <div className="part-head">
        <h2 id="preview-title">Preview</h2>
        <button type="button" className="text-button" aria-pressed={asText} onClick={() => setAsText(!asText)}>{asText ? "Show as HTML" : "Show as text"}</button>
      </div>
      {mail.isTrimmed && <p className="soft">This email was sent a while ago. The exact text and files are no longer kept: this is what today&rsquo;s template makes of it.</p>}
      {asText
        ? <pre className="mail-text">{mail.text}</pre>
        : <MailFrame title={`The mail "${mail.subject}"`} src={`/api/outbox/${mail.id}/html`} />}
    </section>
  );
}
