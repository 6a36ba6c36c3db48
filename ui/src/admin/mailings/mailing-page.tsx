import { useId, useState, type FormEvent } from "react";
import { ApiError } from "../../lib/api-error";
import { addressWith, goTo, useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { arriveAtNextTitle } from "../shell/arrival";
import { Failure } from "../../kit/loaded";
import { Instant } from "../shell/instant";
import { MailFrame } from "../shell/mail-frame";
import { formatCount } from "../shell/numbers";
import { useAction } from "../shell/use-action";
import { act as actOn, deleteDraft, sendTest, states, useMailing, usePreview, type Mailing } from "./api";
import { Compose } from "./compose";
import { groupWords, notices } from "./group-words";

/** One email to a group: its draft, or how far it is. */
export function MailingPage({ id }: { id: number }) {
  const { data: mailing, error, mutate } = useMailing(id);
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All emails to groups</AddressLink></p>
      <header className="admin-head"><AdminTitle>{mailing?.subject ?? `Email ${id}`}</AdminTitle></header>
      {missing && <p className="empty">There is no email to a group with the number {id}.</p>}
      {error !== undefined && !missing && <Failure error={error} onRetry={() => mutate()}>This email could not be read.</Failure>}
      {error === undefined && !mailing && <p className="loading">Loading the email...</p>}
      {mailing && (mailing.state === "draft"
        ? <DraftPage mailing={mailing} onChanged={(changed) => mutate(changed, { revalidate: false })} />
        : <SentPage mailing={mailing} onChanged={() => mutate()} />)}
    </>
  );
}

function DraftPage({ mailing, onChanged }: { mailing: Mailing; onChanged: (mailing: Mailing) => unknown }) {
  const [dirty, setDirty] = useState(false);
  return (
    <>
      <Compose saved={mailing} onSaved={onChanged} onDirty={setDirty} />
      {dirty
        ? <p className="mailing-part soft" role="status">Save the draft to preview, test or send it.</p>
        : <><Preview mailing={mailing} /><Test mailing={mailing} /><Send mailing={mailing} onSent={onChanged} /></>}
    </>
  );
}

/** The email as three real people would get it. */
function Preview({ mailing }: { mailing: Mailing }) {
  const { data } = usePreview(mailing);
  const [person, setPerson] = useState(0);
  const shown = data?.items[person] ?? data?.items[0];
  if (!data) return null;
  if (!shown) return <p className="mailing-part soft">Nobody is in this group now, so there is nothing to preview.</p>;
  return (
    <section className="mailing-part" aria-label="Preview">
      <h2 className="title">Preview</h2>
      <p className="mailing-people">
        {data.items.map(({ recipient }, at) => <button key={recipient} type="button" className="text-button" aria-pressed={at === person} onClick={() => setPerson(at)}>{recipient}</button>)}
      </p>
      <p>Subject: {shown.subject}</p>
      <MailFrame title={`The email to ${shown.recipient}`} src={`/api/mailings/${mailing.id}/preview/html?person=${data.items.indexOf(shown) + 1}&version=${mailing.version}`} />
    </section>
  );
}

function Test({ mailing }: { mailing: Mailing }) {
  const id = useId();
  const { busy, act } = useAction();
  const [email, setEmail] = useState("");
  const test = (event: FormEvent) => {
    event.preventDefault();
    void act(() => sendTest(mailing.id, email), { title: "Test Sent", message: `The test is on its way to ${email}.` }, "The test could not be sent. Please try again.");
  };
  return (
    <form className="mailing-part" onSubmit={test} noValidate aria-label="Test">
      <h2 className="title">Send a test to yourself</h2>
      <label className="field-label" htmlFor={id}>Your email address</label>
      <input id={id} className="input" type="email" autoComplete="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <button type="submit" className="button button-outline" aria-disabled={busy}>{busy ? "Sending..." : "Send test"}</button>
    </form>
  );
}

/** Sending is asked for twice: it cannot be undone for those who have the email. */
function Send({ mailing, onSent }: { mailing: Mailing; onSent: (mailing: Mailing) => unknown }) {
  const { busy, act } = useAction();
  const params = useAddress();
  const [asked, setAsked] = useState(false);
  const people = mailing.progress.recipients === 1 ? "1 person" : `${formatCount(mailing.progress.recipients)} people`;
  const send = () => act(async () => onSent(await actOn(mailing.id, "send", mailing.version)), { title: "Sending", message: `The email is on its way to ${people}.` }, "Nothing was sent. Please try again.");
  const remove = () => act(
    async () => {
      await deleteDraft(mailing.id);
      arriveAtNextTitle();
      goTo(addressWith(params, { id: null }), { replace: true });
    },
    { title: "Draft Deleted", message: "Nothing was sent." },
    "The draft could not be deleted. Please try again.",
  );
  return (
    <section className="mailing-part" aria-label="Send">
      <h2 className="title">Send</h2>
      {asked
        ? (
          <>
            <p role="status">Send “{mailing.subject}” to {people}? The group is fixed now; you can pause or stop while it is being sent.</p>
            <p className="mailing-buttons">
              <button type="button" className="button button-primary" aria-disabled={busy} onClick={send}>{busy ? "Sending..." : `Send to ${people}`}</button>
              <button type="button" className="button button-outline" onClick={() => setAsked(false)}>Cancel</button>
            </p>
          </>
        )
        : (
          <p className="mailing-buttons">
            <button type="button" className="button button-primary" onClick={() => setAsked(true)}>Send...</button>
            <button type="button" className="button button-outline" aria-disabled={busy} onClick={remove}>Delete draft</button>
          </p>
        )}
    </section>
  );
}

function SentPage({ mailing, onChanged }: { mailing: Mailing; onChanged: () => unknown }) {
  const { busy, act } = useAction();
  const { categoryNames } = useAdmin();
  const { state, progress } = mailing;
  const done = { send: { title: "Sending", message: "The email is being sent again." }, pause: { title: "Paused", message: "No further emails are sent for now." }, stop: { title: "Stopped", message: "No further emails are sent." } };
  const button = (action: "send" | "pause" | "stop", label: string) => (
    <button type="button" className="button button-outline" aria-disabled={busy} onClick={() => act(async () => { await actOn(mailing.id, action); await onChanged(); }, done[action], "Nothing was changed. Please try again.")}>{label}</button>
  );
  return (
    <>
      <div className="mailing-progress">
        <p className="figures" role="status">{state === "sent" && progress.queued > 0 ? states.sending : states[state]}: {formatCount(progress.sent)} of {formatCount(progress.recipients)}</p>
        <progress max={Math.max(1, progress.recipients)} value={progress.sent} aria-label="Sent" />
      </div>
      <p className="mailing-buttons">
        {state === "sending" && button("pause", "Pause")}
        {state === "paused" && button("send", "Resume")}
        {(state === "sending" || state === "paused" || (state === "sent" && progress.queued > 0)) && button("stop", "Stop for good")}
      </p>
      <dl className="facts">
        <div><dt>To</dt><dd>{groupWords(mailing.group, categoryNames)}</dd></div>
        {mailing.notice && <div><dt>What it is</dt><dd>{notices[mailing.notice]}</dd></div>}
        {mailing.startedAt && <div><dt>Started</dt><dd><Instant at={mailing.startedAt} /></dd></div>}
        {mailing.endedAt && <div><dt>Ended</dt><dd><Instant at={mailing.endedAt} /></dd></div>}
        {counts.filter(([name]) => progress[name] > 0).map(([name, label]) => <div key={name}><dt>{label}</dt><dd className="figures">{formatCount(progress[name])}</dd></div>)}
        <div className="is-long"><dt>Text</dt><dd className="mailing-text">{mailing.text}</dd></div>
      </dl>
    </>
  );
}

const counts = [
  ["waiting", "Waiting"], ["queued", "In the outbox"], ["failed", "Refused by the mail server"], ["unsubscribed", "Unsubscribed"],
  ["refused", "Address refused before"], ["leftOut", "Left out"],
] as const;
