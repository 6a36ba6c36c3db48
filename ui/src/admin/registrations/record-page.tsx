import { useEffect } from "react";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { ApiError } from "../../lib/api-error";
import type { Kind } from "../../lib/page";
import { CorrectAnswers } from "../corrections/correct-answers";
import { Participation } from "../participation/participation";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import type { FormLabels } from "../shell/form-labels";
import { kindLabels, type Registration } from "../shell/kinds";
import { nameOf, openedRecord } from "../shell/naming";
import { Answers } from "./answers";
import { refreshLists, useRegistration } from "./api";
import { Decision } from "./decision";
import { History } from "./history";
import { InvitePanel } from "./invite-panel";
import { RecordMails } from "./record-mails";
import { Refund } from "./refund";
import { isRefundable } from "./refund-choice";
import { Standing } from "./standing";

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
  useEffect(() => openedRecord(kind, id), [kind, id]);
  const missing = (error: unknown) => error instanceof ApiError && error.status === 404
    ? <p className="empty">There is no {form.name.toLowerCase()} with the number {id}. It may have been erased.</p>
    : undefined;
  return (
    <>
      <p className="way-back"><AddressLink to={{ id: null }} arrives>All {kindLabels[kind].plural.toLowerCase()}</AddressLink></p>
      <header className="admin-head">
        <AdminTitle>{name}</AdminTitle>
        {record && <Standing kind={kind} form={form} record={record} />}
      </header>
      <Loaded of={read} loading="Loading the registration…" failed="This registration could not be loaded." otherwise={missing} keepsData>
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
