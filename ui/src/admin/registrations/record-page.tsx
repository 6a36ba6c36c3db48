import { useEffect } from "react";
import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { CorrectAnswers } from "../corrections/correct-answers";
import { Participation } from "../participation/participation";
import { SponsorPlaces } from "../participation/sponsor-places";
import { AddressLink } from "../shell/address";
import { useAdmin, useEventClock, Instant } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { kindLabels, nameOf, rememberOpenRecord, type FormLabels, type FieldLabels, type Registration } from "../shell/kinds";
import { textOf, valueOf, amount } from "../shell/values";
import { StatusMark, statusLabel, reasonText } from "../shell/status-mark";
import { Invitation } from "../mailings/group-text";
import { sectionPath } from "../shell/sections";
import { refreshLists, useRegistration } from "./api";
import { Decision } from "./decision";
import { InvitePanel } from "./invite-panel";
import { RecordMails } from "./record-mails";
import { Refund, isRefundable, nominationsOf } from "./refund";
import type { Kind, ReviewStep } from "../../lib/answer-types";

interface Props {
  kind: Kind;
  form: FormLabels;
  id: number;
}

/** One registration: the decision first, then the answers and what happened. */
export function RecordPage({ kind, form, id }: Props) {
  const read = useRegistration(kind, id);
  const { data, mutate } = read;
  const record = data?.value;
  const name = record ? nameOf(kind, record) : `${form.name} ${id}`;
  usePageTitle(name);
  useEffect(() => rememberOpenRecord(kind, id), [kind, id]);
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} focusTitle>All {kindLabels[kind].plural.toLowerCase()}</AddressLink></p>
      <header className="admin-head">
        <AdminTitle>{name}</AdminTitle>
        {record && <RecordSummary kind={kind} form={form} record={record} />}
      </header>
      <Loaded of={read} loading="Loading the registration…" failed="This registration could not be loaded." missing={<p className="empty">There is no {form.name.toLowerCase()} with the number {id}. It may have been erased.</p>} keepsData>
        {(opened) => (
          <>
            <PartLinks kind={kind} record={opened.value} />
            <div className="record">
              <Decision kind={kind} form={form} opened={opened} onSaved={() => mutate()} />
              {kind === "waitlist-signups" && <InvitePanel record={opened.value} onInvited={() => Promise.all([mutate(), refreshLists(kind)])} />}
              <Answers form={form} record={opened.value} />
              {kind === "competition-entries" && <Refund opened={opened} onRefunded={() => mutate()} />}
              <div className="record-actions">
                {kind === "competition-entries" && <Participation opened={opened} onChanged={() => Promise.all([mutate(), refreshLists(kind)])} />}
                {kind === "sponsor-applications" && <SponsorPlaces record={opened.value} onSaved={() => mutate()} />}
                <CorrectAnswers key={`${kind}/${id}`} kind={kind} form={form} record={opened.value} onSaved={() => Promise.all([mutate(), refreshLists(kind)])} />
              </div>
              <div className="record-log">
                <History kind={kind} record={opened.value} />
                <RecordMails kind={kind} opened={opened} onCorrected={() => Promise.all([mutate(), refreshLists(kind)])} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Links to the parts below the answers, which are several screens away on a phone. */
function PartLinks({ kind, record }: { kind: Kind; record: Registration }) {
  const isEntry = kind === "competition-entries";
  const parts = [
    ...(isEntry && isRefundable(record) ? [{ title: "refund-title", label: "Refund" }] : []),
    ...(isEntry ? [{ title: "taking-part-title", label: "Taking part" }] : []),
    { title: "corrections-title", label: "Corrections" }, { title: "history-title", label: "History" }, { title: "mails-title", label: "Emails" },
  ];
  const goTo = (id: string) => {
    const title = document.getElementById(id);
    if (!title) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
    title.scrollIntoView();
  };
  return (
    <nav className="record-parts" aria-label="On this page">
      {parts.map(({ title, label }) => <Button key={title} look="text" onClick={() => goTo(title)}>{label}</Button>)}
    </nav>
  );
}

/** The browser tab has the person's name; afterwards it has the list's title again. */
function usePageTitle(name: string): void {
  const { event } = useAdmin();
  useEffect(() => {
    const before = document.title;
    document.title = `${name} - ${event}`;
    return () => {
      document.title = before;
    };
  }, [name, event]);
}

/** The answers by the form's sections and labels. What was left out is named in one line of its section. */
function Answers({ form, record }: { form: FormLabels; record: Registration }) {
  return (
    <div className="record-answers">
      {form.sections.map(({ title, fields }) => {
        const asked = fields.filter((field) => isAsked(field, record));
        const answered = asked.filter((field) => textOf(field, record[field.name]) !== undefined);
        const missing = asked.filter((field) => !answered.includes(field)).map(({ label }) => label);
        return (
          <section key={title} className="record-section">
            <h2>{title}</h2>
            <dl>
              {answered.map((field) => (
                <div key={field.name} className={field.type === "longText" ? "is-long" : undefined}>
                  <dt>{field.label}</dt>
                  <dd>{valueOf(field, record)}</dd>
                </div>
              ))}
            </dl>
            {missing.length > 0 && <p className="soft">Not answered: {missing.join(", ")}</p>}
          </section>
        );
      })}
    </div>
  );
}

/** Whether the form asked for the field, given the other answers: without an additional category there is no second one to choose. */
export function isAsked({ requiredFrom }: FieldLabels, record: Registration): boolean {
  return requiredFrom === undefined || Number(record[requiredFrom.field] ?? 0) >= requiredFrom.atLeast;
}

/** The organisers' decisions and notes, newest first. */
function History({ kind, record }: { kind: Kind; record: Registration }) {
  const entries = record.history as ReviewStep[] | undefined;
  if (!Array.isArray(entries)) return null;
  return (
    <section className="history" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {entries.length === 0 && <p className="soft">No decisions or notes yet.</p>}
      <ol reversed>
        {entries.map(({ at, actor, from, to, note }, index) => (
          <li key={index}>
            <p className="soft"><Instant at={at} /> by {actor}</p>
            {from !== to && <p>{statusLabel(from, kind)} to <strong>{statusLabel(to, kind)}</strong></p>}
            {note && <p className="long-text">{note}</p>}
          </li>
        )).reverse()}
      </ol>
    </section>
  );
}

/** A registration's decision, payment and metadata, and what the server noticed. */
function RecordSummary({ kind, form, record }: { kind: Kind; form: FormLabels; record: Registration }) {
  const clock = useEventClock();
  const { timeZoneLabel } = useAdmin();
  const { paymentStatus, paymentAmount, refundedAmount, stripePaymentIntentId, setAsideReason, earlierId } = record;
  return (
    <div className="record-summary">
      {/* An entry has no decision, only its payment. */}
      {(kind !== "competition-entries" || record.status !== "new") && <p><StatusMark status={record.status} kind={kind} /></p>}
      {kind === "competition-entries" && (
        <p className="figures">
          Payment: <StatusMark status={String(paymentStatus)} /> {amount(paymentAmount)}{Number(refundedAmount) > 0 && `, ${amount(refundedAmount)} refunded`}
        </p>
      )}
      <p className="soft figures">{form.name} {record.id}, received <time dateTime={record.createdAt}>{clock.long(record.createdAt)}</time> {timeZoneLabel}</p>
      {typeof stripePaymentIntentId === "string" && <p className="soft payment-reference">Payment reference: {stripePaymentIntentId}</p>}
      {kind === "competition-entries" && <Categories record={record} />}
      {typeof setAsideReason === "string" && <p>{record.status === "set_aside" ? "Held" : "Was held"} for review as possible spam: {reasonText(setAsideReason)}</p>}
      {kind === "waitlist-signups" && <Invitation record={record} />}
      {typeof earlierId === "number" && <p>The same person sent <AddressLink to={{ id: earlierId }} focusTitle>number {earlierId}</AddressLink> before.</p>}
    </div>
  );
}

/** The entry's nominations, each with its state and a link to it. */
function Categories({ record }: { record: Registration }) {
  const nominations = nominationsOf(record);
  if (nominations.length === 0) return null;
  return (
    <ul className="entry-nominations">
      {nominations.map(({ id, code, label, state }) => (
        <li key={id}><Link href={`${sectionPath("nominations")}?id=${id}`} className="figures">{code}</Link> {label} <StatusMark status={`nomination_${state}`} /></li>
      ))}
    </ul>
  );
}
