import { useState } from "react";
import { includes, object, pipe, string, trim } from "valibot";
import { useLocation } from "wouter";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { Loaded } from "../../kit/loaded";
import { SectionHead } from "../shell/parts";
import { addressWith, useAddress } from "../shell/address";
import { useAdmin, Instant } from "../shell/admin-context";
import { focusNextTitle } from "../shell/admin-title";
import { MailFrame } from "../shell/mail-frame";
import { formatCount } from "../shell/numbers";
import { useAction, useActionForm } from "../shell/use-form";
import type { Versioned } from "../shell/versioned";
import { act as actOn, deleteDraft, sendDraft, sendTest, states, useMailing, usePreview, type Mailing } from "./api";
import { Compose, useDraftForm } from "./compose";
import { groupText, notices } from "./group-text";

/** One email to a group: its draft, or how far it is. */
export function MailingPage({ id }: { id: number }) {
  const read = useMailing(id);
  const { data, mutate } = read;
  return (
    <>
      <SectionHead back={{ id: null }} backTo="All emails to groups" title={<>{data?.value.subject ?? `Email ${id}`}</>} />
      <Loaded of={read} loading="Loading the email…" failed="This email could not be loaded." missing={<p className="empty">There is no email to a group with the number {id}.</p>} keepsData>
        {(mailing) => (mailing.value.state === "draft"
          ? <DraftPage mailing={mailing} onChanged={(changed) => mutate(changed, { revalidate: false })} onStale={() => mutate()} />
          : <SentPage mailing={mailing.value} onChanged={() => mutate()} />)}
      </Loaded>
    </>
  );
}

interface DraftProps {
  mailing: Versioned<Mailing>;
  onChanged: (mailing: Versioned<Mailing>) => unknown;
  onStale: () => unknown;
}

function DraftPage({ mailing, onChanged, onStale }: DraftProps) {
  const form = useDraftForm({ saved: mailing });
  return (
    <>
      <Compose form={form} saved={mailing} onSaved={onChanged} onStale={onStale} />
      {form.formState.isDirty
        ? <p className="soft" role="status">Save the draft to preview, test or send it.</p>
        : <><Preview mailing={mailing.value} /><Test mailing={mailing.value} /><Send mailing={mailing} onChanged={onChanged} onStale={onStale} /></>}
    </>
  );
}

/** The email as three real people would get it. */
function Preview({ mailing }: { mailing: Mailing }) {
  const { data } = usePreview(mailing);
  const [person, setPerson] = useState(0);
  const shown = data?.items[person] ?? data?.items[0];
  if (!data) return null;
  if (!shown) return <p className="soft">Nobody is in this group now, so there is nothing to preview.</p>;
  return (
    <section className="admin-part" aria-label="Preview">
      <h2>Preview</h2>
      <p className="mailing-people">
        {data.items.map(({ recipient }, at) => <Button key={recipient} look="text" aria-pressed={at === person} onClick={() => setPerson(at)}>{recipient}</Button>)}
      </p>
      <p>Subject: {shown.subject}</p>
      {data.unnamed.length > 0 && <p className="soft">No greeting uses {data.unnamed.length === 1 ? "this name" : "these names"}, with digits or an address in {data.unnamed.length === 1 ? "it" : "them"}: {data.unnamed.slice(0, 10).join(", ")}{data.unnamed.length > 10 && ` and ${data.unnamed.length - 10} more`}. {data.unnamed.length === 1 ? "This person is" : "These people are"} greeted as &ldquo;there&rdquo;.</p>}
      <MailFrame title={`The email to ${shown.recipient}`} src={`/api/mailings/${mailing.id}/preview/html?person=${data.items.indexOf(shown) + 1}&version=${mailing.version}`} />
    </section>
  );
}

const testSchema = object({ email: pipe(string(), trim(), includes("@", "Please enter an email address.")) });

function Test({ mailing: { id } }: { mailing: Mailing }) {
  const { busy, field, submit } = useActionForm(testSchema, { email: "" });
  const test = submit(
    ({ email }) => sendTest(id, email),
    ({ email }) => ({ title: "Sending", message: `The test is on its way to ${email}.` }),
    "The test could not be sent. Please try again.",
  );
  return (
    <form className="admin-part measure" onSubmit={test} noValidate aria-label="Test">
      <h2>Send a test to yourself</h2>
      <TextField label="Your email address" type="email" autoComplete="email" {...field("email")} />
      <div className="card-buttons"><Button type="submit" look="outline" busy={busy} busyLabel="Sending…">Send test</Button></div>
    </form>
  );
}

/** Sends the mailing after a second question, because an email that has arrived cannot be taken back. */
function Send({ mailing, onChanged, onStale }: DraftProps) {
  const { subject, progress: { recipients } } = mailing.value;
  const { busy, act } = useAction();
  const params = useAddress();
  const [, goTo] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const people = recipients === 1 ? "1 person" : `${formatCount(recipients)} people`;
  /** Whatever the reason, the page shows what is stored now. */
  const failed = () => {
    setConfirming(false);
    void onStale();
  };
  const send = () => act(async () => onChanged(await sendDraft(mailing)), { title: "Sending", message: `The email is on its way to ${people}.` }, "Nothing was sent. Please try again.", failed);
  const remove = () => act(
    async () => {
      await deleteDraft(mailing);
      focusNextTitle();
      goTo(addressWith(params, { id: null }), { replace: true });
    },
    { title: "Draft Deleted", message: "Nothing was sent." },
    "The draft could not be deleted. Please try again.",
    failed,
  );
  return (
    <section className="admin-part measure" aria-label="Send">
      <h2>Send</h2>
      {isConfirming && <p role="status">Send “{subject}” to {people}? The group is fixed now; you can pause or stop while it is being sent.</p>}
      <div className="card-buttons">
        {isConfirming
          ? (
            <>
              <Button busy={busy} busyLabel="Sending…" onClick={send}>Send to {people}</Button>
              <Button look="outline" onClick={() => setConfirming(false)}>Cancel</Button>
            </>
          )
          : (
            <>
              <Button onClick={() => setConfirming(true)}>Send…</Button>
              <Button look="outline" busy={busy} busyLabel="Deleting…" onClick={remove}>Delete draft</Button>
            </>
          )}
      </div>
    </section>
  );
}

const done = {
  send: { title: "Sending", message: "The email is being sent again." },
  pause: { title: "Paused", message: "No further emails go to the outbox. Those that are in it already are still sent." },
  stop: { title: "Stopped", message: "No further emails are sent." },
};

function SentPage({ mailing, onChanged }: { mailing: Mailing; onChanged: () => unknown }) {
  const { busy, act } = useAction();
  const { categoryNames } = useAdmin();
  const { id, state, progress } = mailing;
  const button = (action: keyof typeof done, label: string) => (
    <Button look="outline" busy={busy} onClick={() => act(async () => { await actOn(id, action); await onChanged(); }, done[action], "Nothing was changed. Please try again.")}>{label}</Button>
  );
  return (
    <>
      <div className="measure">
        <p className="figures" role="status">{state === "sent" && progress.queued > 0 ? states.sending : states[state]}: {formatCount(progress.sent)} of {formatCount(progress.recipients)}</p>
        <progress className="mailing-progress" max={Math.max(1, progress.recipients)} value={progress.sent} aria-label="Sent" />
        <div className="card-buttons">
          {state === "sending" && button("pause", "Pause")}
          {state === "paused" && button("send", "Resume")}
          {(state === "sending" || state === "paused" || (state === "sent" && progress.queued > 0)) && button("stop", "Stop for good")}
        </div>
      </div>
      <dl className="mail-facts">
        <div><dt>To</dt><dd>{groupText(mailing.group, categoryNames)}</dd></div>
        {mailing.notice && <div><dt>What it is</dt><dd>{notices[mailing.notice]}</dd></div>}
        {mailing.startedAt && <div><dt>Started</dt><dd><Instant at={mailing.startedAt} /></dd></div>}
        {mailing.endedAt && <div><dt>Ended</dt><dd><Instant at={mailing.endedAt} /></dd></div>}
        {counts.filter(([name]) => progress[name] > 0).map(([name, label]) => <div key={name}><dt>{label}</dt><dd className="figures">{formatCount(progress[name])}</dd></div>)}
        <div className="is-long"><dt>Text</dt><dd className="long-text">{mailing.text}</dd></div>
      </dl>
    </>
  );
}

const counts = [
  ["waiting", "Waiting"], ["queued", "In the outbox"], ["failed", "Refused by the mail server"], ["unsubscribed", "Unsubscribed"],
  ["refused", "Address refused before"], ["leftOut", "Left out"],
] as const;
