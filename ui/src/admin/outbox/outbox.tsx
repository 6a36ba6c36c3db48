import { useId, useRef } from "react";
import useSWR from "swr";
import { request } from "../../lib/request";
import { addressWith, goTo, useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { EmailLine } from "../shell/email-line";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { mailStates, type Mail } from "./mail";
import { MailPage } from "./mail-page";
import { MailState } from "./mail-state";
import { Pager } from "../shell/pager";
import { sections } from "../shell/sections";
import { grouped } from "../shell/summary";
import { useAction } from "../shell/use-action";

const pageSize = 50;

interface Page {
  items: Mail[];
  total: number;
  counts: Record<keyof typeof mailStates, number>;
}

/** All mails, or with `?id=` one of them. */
export function OutboxSection() {
  const id = Number(useAddress().get("id") ?? "");
  return Number.isSafeInteger(id) && id > 0 ? <MailPage key={id} id={id} /> : <MailList />;
}

function MailList() {
  const params = useAddress();
  const state = params.get("state") ?? "";
  const page = Math.max(1, Number(params.get("page")) || 1);
  const query = new URLSearchParams({ state, page: String(page), pageSize: String(pageSize) });
  const { data, error, isValidating, mutate } = useSWR<Page, unknown>(["/api", `outbox?${query}`], { keepPreviousData: true });
  const top = useRef<HTMLDivElement>(null);
  const { busy, act } = useAction();
  const pending = data ? data.counts.waiting + data.counts.failed : 0;
  const sendAll = () => act(
    async () => {
      await request("/api/outbox/retry", { method: "POST" });
      await mutate();
    },
    { title: "Sending Again", message: "Sending all of them again now." },
    "The mails were left as they are. Please try again.",
  );
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.outbox}</AdminTitle>
        <p role="status" className="soft figures">{data && !error && saysHowMany(data.counts)}</p>
      </header>
      <div className="list-tools">
        <StateFilter state={state} />
        <div className="list-actions list-actions-wide">
          {pending > 0 && <button type="button" className="text-button" aria-disabled={busy} onClick={sendAll}>{pending === 1 ? "Send it now" : `Send all ${grouped(pending)} now`}</button>}
          <button type="button" className="text-button" aria-disabled={isValidating} onClick={() => void mutate()}>{isValidating ? "Reading..." : "Refresh"}</button>
        </div>
      </div>
      <div ref={top} className="list-top" />
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The outbox could not be read.</Failure>}
      {error === undefined && !data && <p className="admin-waiting">Reading the outbox...</p>}
      {error === undefined && data && (data.items.length === 0
        ? <p className="empty">{state ? "There is no such mail now." : "No mail was written yet. Confirmations, decisions and reports stand here as soon as there are any."}</p>
        : <MailTable mails={data.items} />)}
      {error === undefined && data && data.total > pageSize && (
        <Pager page={page} pages={Math.ceil(data.total / pageSize)} onTurn={() => top.current?.scrollIntoView()} />
      )}
    </>
  );
}

function StateFilter({ state }: { state: string }) {
  const id = useId();
  const params = useAddress();
  const choose = (value: string) => goTo(addressWith(params, { state: value, page: null }), { replace: true });
  return (
    <div className="list-filter">
      <label className="field-label" htmlFor={id}>State</label>
      <div className="select">
        <select id={id} className="input" value={state} onChange={(event) => choose(event.target.value)}>
          <option value="">All mails</option>
          {Object.entries(mailStates).map(([value, word]) => <option key={value} value={value}>{word}</option>)}
        </select>
      </div>
    </div>
  );
}

function MailTable({ mails }: { mails: Mail[] }) {
  return (
    <table className="admin-table">
      <caption className="hidden-text">Mails</caption>
      <thead><tr><th scope="col">Mail</th><th scope="col" className="roomy">Written</th><th scope="col">State</th></tr></thead>
      <tbody>
        {mails.map((mail) => (
          <tr key={mail.id}>
            <th scope="row">
              <AddressLink to={{ id: mail.id }} arrives className="row-link">{mail.subject}</AddressLink>
              <EmailLine email={mail.recipient} />
              {mail.lastError && mail.state !== "sent" && <span className="row-error">{mail.lastError}</span>}
            </th>
            <td className="roomy"><Instant at={mail.createdAt} /></td>
            <td><MailState mail={mail} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function saysHowMany(counts: Page["counts"]): string {
  const parts = Object.entries(mailStates).filter(([state]) => counts[state as keyof typeof mailStates] > 0);
  return parts.map(([state, word]) => `${grouped(counts[state as keyof typeof mailStates])} ${word.toLowerCase()}`).join(", ");
}
