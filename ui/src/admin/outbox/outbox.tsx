import { Button, buttonClass } from "../../kit/button";
import { optionsOf, Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { useFilters, PagedList, Refresh } from "../shell/list";
import { recordIn, useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { EmailLine } from "../shell/values";
import { Instant } from "../shell/admin-context";
import { formatCount } from "../shell/numbers";
import { sections } from "../shell/sections";
import { mailStates } from "../shell/status-mark";
import { useAction } from "../shell/use-form";
import { pageSize, sendAllNow, useOutbox, type OutboxPage } from "./api";
import { MailPage, MailState } from "./mail-page";
import type { ListedMail } from "../../lib/answer-types";

/** All emails, or with `?id=` one of them. */
export function OutboxSection() {
  const id = recordIn(useAddress());
  return id === undefined ? <MailList /> : <MailPage key={id} id={id} />;
}

function MailList() {
  const { filter: { state }, page, show } = useFilters("state");
  const outbox = useOutbox(state, page);
  const { data, error, mutate } = outbox;
  const { busy, act } = useAction(mutate);
  const pending = data ? data.counts.waiting + data.counts.failed : 0;
  const sendAll = () => act(
    sendAllNow,
    { title: "Sending", message: pending === 1 ? "Sending 1 email now." : `Sending all ${formatCount(pending)} emails now.` },
    "The emails could not be sent now. Please try again.",
  );
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.outbox}</AdminTitle>
        <p role="status" className="soft figures">{data && error === undefined && countsText(data.counts)}</p>
      </header>
      <div className="list-tools">
        <Select
          label="State" value={state} options={[{ value: "", label: "All emails" }, ...optionsOf({ ...mailStates, retried: "Not accepted yet, retried" })]}
          onChange={(event) => show({ state: event.target.value })}
        />
        <div className="list-actions">
          {pending > 0 && <Button look="text" inactive={busy} onClick={sendAll}>{pending === 1 ? "Send it now" : `Send all ${formatCount(pending)} now`}</Button>}
          <Refresh of={outbox} />
        </div>
      </div>
      <PagedList
        of={outbox} page={page} pageSize={pageSize} loading="Loading the outbox…" failed="The outbox could not be loaded."
        empty={state ? <NothingFound /> : <p className="empty">No emails yet. Confirmations, decisions and reports appear here.</p>}
      >
        {({ items }) => <MailTable mails={items} />}
      </PagedList>
    </>
  );
}

function NothingFound() {
  return (
    <div className="empty">
      <p className="title">No emails in this state</p>
      <AddressLink to={{ state: null, page: null }} className={buttonClass("outline")}>Show all emails</AddressLink>
    </div>
  );
}

function MailTable({ mails }: { mails: ListedMail[] }) {
  return (
    <Table
      caption="Emails" rows={mails} rowKey={({ id }) => id}
      columns={[
        {
          name: "email", label: "Email",
          cell: ({ id, subject, recipient, createdAt, lastError, state }) => (
            <>
              <AddressLink to={{ id }} focusTitle className="row-link">{subject}</AddressLink>
              <EmailLine email={recipient} />
              <span className="row-email narrow-only"><Instant at={createdAt} /></span>
              {lastError && state !== "sent" && <span className="row-error">{lastError}</span>}
            </>
          ),
        },
        { name: "written", label: "Written", from: "wide", cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { name: "state", label: "State", cell: (mail) => <MailState mail={mail} /> },
      ]}
    />
  );
}

/** "1 waiting, 12 sent". */
function countsText(counts: OutboxPage["counts"]): string {
  const states = Object.entries(mailStates) as [ListedMail["state"], string][];
  return states.filter(([state]) => counts[state] > 0).map(([state, label]) => `${formatCount(counts[state])} ${label.toLowerCase()}`).join(", ");
}
