import { useId } from "react";
import { useLocation } from "wouter";
import { check, object, pipe, string, transform } from "valibot";
import { buttonClass, Button } from "../../kit/button";
import { Table } from "../../kit/table";
import { TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { PagedList } from "../shell/list";
import { SectionHead } from "../shell/parts";
import { addressWith, pageIn, recordIn, useAddress, AddressLink } from "../shell/address";
import { useAdmin, Instant } from "../shell/admin-context";
import { AdminTitle, focusNextTitle } from "../shell/admin-title";
import { formatCount } from "../shell/numbers";
import { sections } from "../shell/sections";
import { refreshLists } from "../registrations/api";
import { useActionForm } from "../shell/use-form";
import { pageSize, states, useMailings, useRefused, invite, type Mailing } from "./api";
import { Compose, newDraftTo, useDraftForm } from "./compose";
import { groupText, invitationEnd, invitationLengths } from "./group-text";
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
    focusNextTitle();
    goTo(addressWith(params, { id, new: null, attendance: null }), { replace: true });
  };
  return (
    <>
      <SectionHead back={{ new: null, attendance: null }} backTo="All emails to groups" title="New email to a group" />
      <Compose form={useDraftForm({ begun: newDraftTo(params.get("attendance")) })} onSaved={({ value: { id } }) => open(id)} />
    </>
  );
}

function MailingList({ page }: { page: number }) {
  const mailings = useMailings(page);
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.mailings}</AdminTitle></header>
      <p className="measure">Write to everybody who is in a group, such as all who have paid. Each person gets the email once, with their own name in it.</p>
      <p className="measure"><AddressLink to={{ new: 1, page: null }} focusTitle className={buttonClass("primary")}>Write an email</AddressLink></p>
      <PagedList
        of={mailings} page={page} pageSize={pageSize} loading="Loading the emails…" failed="The emails could not be loaded."
        empty={<p className="empty">No email to a group has been written yet.</p>}
      >
        {({ items }) => <MailingTable mailings={items} />}
      </PagedList>
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
        { name: "email", label: "Email", cell: ({ id, subject, group }) => <><AddressLink to={{ id, page: null }} focusTitle className="row-link">{subject}</AddressLink><span className="row-email">{groupText(group, categoryNames)}</span></> },
        { name: "written", label: "Written", from: "roomy", cell: ({ createdAt }) => <Instant at={createdAt} /> },
        { name: "state", label: "State", cell: (mailing) => <>{states[mailing.state]}<span className="row-email">{sentOf(mailing)}</span></> },
      ]}
    />
  );
}

export function sentOf({ state, progress }: Mailing): string {
  return state === "draft" ? `${formatCount(progress.recipients)} ${progress.recipients === 1 ? "person" : "people"}` : `${formatCount(progress.sent)} of ${formatCount(progress.recipients)} sent`;
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

const most = 500;

const schema = object({
  count: pipe(string(), transform(Number), check((count) => Number.isInteger(count) && count >= 1 && count <= most, `Please enter a number from 1 to ${most}`)),
  days: pipe(string(), transform(Number)),
});

/** Invites the next people on the waitlist to enter. */
function Invite() {
  const id = useId();
  const { busy, field, submit } = useActionForm(schema, { count: "10", days: "3" });
  const send = submit(
    // Also after a lost answer, the waitlist shows who was invited.
    ({ count, days }) => invite(count, invitationEnd(days)).finally(() => void refreshLists("waitlist-signups")),
    { title: "Invited", message: "The invitations are in the outbox." },
    "No answer arrived, so they may have been invited. Look at the waitlist before you try again.",
  );
  return (
    <form className="admin-part measure" onSubmit={send} noValidate aria-labelledby={id}>
      <h2 id={id}>Invite from the waitlist</h2>
      <p className="measure">The next people who want to compete get a personal link to the entry form. Each signup says whether its invitation was accepted.</p>
      <TextField label="How many people" inputMode="numeric" {...field("count")} />
      <Select label="The link is valid for" options={invitationLengths} {...field("days")} />
      <div className="card-buttons"><Button type="submit" look="outline" busy={busy} busyLabel="Inviting…">Invite</Button></div>
    </form>
  );
}
