import { useId, useRef } from "react";
import { useLocation } from "wouter";
import { buttonClass } from "../../kit/button-class";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { addressWith, pageIn, recordIn, useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { arriveAtNextTitle } from "../shell/arrival";
import { Instant } from "../shell/instant";
import { formatCount } from "../shell/numbers";
import { Pager } from "../shell/pager";
import { sections } from "../shell/sections";
import { states, useMailings, useRefused, type Mailing } from "./api";
import { Compose, useDraftForm } from "./compose";
import { groupText } from "./group-text";
import { Invite } from "./invite";
import { MailingPage } from "./mailing-page";

/** All emails to groups; with `?id=` one of them, with `?new=` a new one. */
export function MailingsSection() {
  const params = useAddress();
  const id = recordIn(params);
  if (id !== undefined) return <MailingPage key={id} id={id} />;
  return params.get("new") ? <NewMailing /> : <MailingList page={pageIn(params)} />;
}

function NewMailing() {
  const params = useAddress();
  const [, goTo] = useLocation();
  const open = (id: number) => {
    arriveAtNextTitle();
    goTo(addressWith(params, { id, new: null }), { replace: true });
  };
  return (
    <>
      <p className="way-back"><AddressLink to={{ new: null }} arrives>All emails to groups</AddressLink></p>
      <header className="admin-head"><AdminTitle>New email to a group</AdminTitle></header>
      <Compose form={useDraftForm()} onSaved={({ value: { id } }) => open(id)} />
    </>
  );
}

function MailingList({ page }: { page: number }) {
  const mailings = useMailings(page);
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.mailings}</AdminTitle></header>
      <p className="measure">Write to everybody who is in a group, such as all who have paid. Each person gets the email once, with their own name in it.</p>
      <p className="measure"><AddressLink to={{ new: 1, page: null }} arrives className={buttonClass("primary")}>Write an email</AddressLink></p>
      <div ref={top} className="list-top" />
      <Loaded
        of={mailings} loading="Loading the emails…" failed="The emails could not be loaded."
        isEmpty={({ items }) => items.length === 0} empty={<p className="empty">No email to a group has been written yet.</p>}
      >
        {({ items }) => (
          <>
            <MailingTable mailings={items} />
            <Pager page={page} pages={mailings.pages} onTurn={() => top.current?.scrollIntoView()} />
          </>
        )}
      </Loaded>
      <Invite />
      <RefusedAddresses />
    </>
  );
}

function MailingTable({ mailings }: { mailings: Mailing[] }) {
  const { categoryNames } = useAdmin();
  return (
    <Table
      caption="Emails to groups" rows={mailings} rowKey={({ id }) => id} figures
      columns={[
        { name: "email", label: "Email", cell: ({ id, subject, group }) => <><AddressLink to={{ id, page: null }} arrives className="row-link">{subject}</AddressLink><span className="row-email">{groupText(group, categoryNames)}</span></> },
        { name: "written", label: "Written", from: "roomy", cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { name: "state", label: "State", cell: (mailing) => <>{states[mailing.state]}<span className="row-email">{sentOf(mailing)}</span></> },
      ]}
    />
  );
}

function sentOf({ state, progress }: Mailing): string {
  return state === "draft" ? `${formatCount(progress.recipients)} people` : `${formatCount(progress.sent)} of ${formatCount(progress.recipients)} sent`;
}

/** Addresses that group mail skips because a mail server has refused them. */
function RefusedAddresses() {
  const id = useId();
  const { data } = useRefused();
  if (!data || data.total === 0) return null;
  return (
    <section className="admin-part" aria-labelledby={id}>
      <h2 id={id}>{data.total === 1 ? "1 address is refused by its mail server" : `${formatCount(data.total)} addresses are refused by their mail servers`}</h2>
      <p className="measure">Emails to groups skip these addresses. Correct a wrong one on the person&rsquo;s record.</p>
      <Table
        caption="Refused addresses" rows={data.items} rowKey={({ recipient }) => recipient}
        columns={[
          { name: "address", label: "Address", cell: ({ recipient, reply }) => <>{recipient}<span className="row-error">{reply}</span></> },
          { name: "refused", label: "Refused", cell: ({ at }) => <Instant at={at} /> },
        ]}
      />
    </section>
  );
}
