import { useRef } from "react";
import { useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../../kit/loaded";
import { Instant } from "../shell/instant";
import { Pager } from "../shell/pager";
import { sections } from "../shell/sections";
import { formatCount } from "../shell/numbers";
import { states, useMailings, useRefused, type Mailing } from "./api";
import { Compose } from "./compose";
import { groupWords } from "./group-words";
import { Invite } from "./invite";
import { MailingPage } from "./mailing-page";

/** All emails to groups; with `?id=` one of them, with `?new=` a new one. */
export function MailingsSection() {
  const params = useAddress();
  const id = Number(params.get("id") ?? "");
  if (Number.isSafeInteger(id) && id > 0) return <MailingPage key={id} id={id} />;
  return params.get("new") ? <NewMailing /> : <MailingList page={Math.max(1, Number(params.get("page")) || 1)} />;
}

function NewMailing() {
  return (
    <>
      <p className="way-back"><AddressLink to={{ new: null }} arrives>All emails to groups</AddressLink></p>
      <header className="admin-head"><AdminTitle>New email to a group</AdminTitle></header>
      <Compose />
    </>
  );
}

function MailingList({ page }: { page: number }) {
  const { data, error, pages, mutate } = useMailings(page);
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.mailings}</AdminTitle></header>
      <p className="measure">Write to everybody who is in a group, such as all who have paid. Each person gets the email once, with their own name in it.</p>
      <p><AddressLink to={{ new: 1, page: null }} arrives className="button button-primary">Write an email</AddressLink></p>
      <div ref={top} className="list-top" />
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The emails could not be read.</Failure>}
      {error === undefined && !data && <p className="loading">Loading the emails...</p>}
      {error === undefined && data && (data.items.length === 0
        ? <p className="empty">No email to a group has been written yet.</p>
        : <MailingTable mailings={data.items} />)}
      {error === undefined && pages > 1 && <Pager page={page} pages={pages} onTurn={() => top.current?.scrollIntoView()} />}
      <Invite />
      <RefusedAddresses />
    </>
  );
}

function MailingTable({ mailings }: { mailings: Mailing[] }) {
  const { categoryNames } = useAdmin();
  return (
    <table className="table">
      <caption className="hidden-text">Emails to groups</caption>
      <thead><tr><th scope="col">Email</th><th scope="col" className="roomy">Written</th><th scope="col">State</th></tr></thead>
      <tbody>
        {mailings.map((mailing) => (
          <tr key={mailing.id}>
            <th scope="row">
              <AddressLink to={{ id: mailing.id, page: null }} arrives className="row-link">{mailing.subject}</AddressLink>
              <span className="soft">{groupWords(mailing.group, categoryNames)}</span>
            </th>
            <td className="roomy"><Instant at={mailing.createdAt} /></td>
            <td className="figures">{states[mailing.state]}<br /><span className="soft">{sentOf(mailing)}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sentOf({ state, progress }: Mailing): string {
  return state === "draft" ? `${formatCount(progress.recipients)} people` : `${formatCount(progress.sent)} of ${formatCount(progress.recipients)} sent`;
}

/** Addresses that group mail skips because a mail server has refused them. */
function RefusedAddresses() {
  const { data } = useRefused();
  if (!data || data.total === 0) return null;
  return (
    <details className="mailing-part">
      <summary>{data.total === 1 ? "1 address is refused by its mail server" : `${formatCount(data.total)} addresses are refused by their mail servers`}</summary>
      <p className="measure">Emails to groups skip these addresses. Correct a wrong one on the person's record.</p>
      <table className="table">
        <caption className="hidden-text">Refused addresses</caption>
        <thead><tr><th scope="col">Address</th><th scope="col">Refused</th></tr></thead>
        <tbody>
          {data.items.map(({ recipient, at, reply }) => (
            <tr key={recipient}><th scope="row">{recipient}<span className="row-error">{reply}</span></th><td><Instant at={at} /></td></tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
