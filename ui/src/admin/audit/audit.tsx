import { useId, useRef } from "react";
import useSWR from "swr";
import { Link } from "wouter";
import { kinds } from "../../lib/page";
import { addressWith, goTo, useAddress } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { detailWords } from "./detail-text";
import { Failure } from "../shell/failure";
import { Instant } from "../shell/instant";
import { listPath, kindWords } from "../shell/kinds";
import { Pager } from "../shell/pager";
import { sections } from "../shell/sections";
import { grouped } from "../shell/summary";

const pageSize = 100;

interface Line {
  id: number;
  at: string;
  actor: string;
  action: string;
  kind: string | null;
  subjectId: number | null;
  detail: Record<string, unknown> | null;
}

interface Page {
  items: Line[];
  total: number;
  actors: string[];
  actions: string[];
}

/** Who did what and took what along, when. */
export function AuditSection() {
  const params = useAddress();
  const actor = params.get("actor") ?? "";
  const action = params.get("action") ?? "";
  const page = Math.max(1, Number(params.get("page")) || 1);
  const query = new URLSearchParams({ actor, action, page: String(page), pageSize: String(pageSize) });
  const { data, error, isValidating, mutate } = useSWR<Page, unknown>(["/api", `audit?${query}`], { keepPreviousData: true });
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.audit}</AdminTitle>
        <p role="status" className="soft figures">{data && !error && `${grouped(data.total)} lines`}</p>
      </header>
      <div className="list-tools">
        <Choice name="actor" label="Who" value={actor} options={data?.actors ?? []} />
        <Choice name="action" label="What" value={action} options={data?.actions ?? []} />
        <div className="list-actions">
          <button type="button" className="text-button" aria-disabled={isValidating} onClick={() => void mutate()}>{isValidating ? "Reading..." : "Refresh"}</button>
        </div>
      </div>
      <div ref={top} className="list-top" />
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>The audit log could not be read.</Failure>}
      {error === undefined && !data && <p className="admin-waiting">Reading the audit log...</p>}
      {error === undefined && data && (data.items.length === 0
        ? <p className="empty">Nothing of the kind has happened.</p>
        : <Lines lines={data.items} />)}
      {error === undefined && data && data.total > pageSize && (
        <Pager page={page} pages={Math.ceil(data.total / pageSize)} onTurn={() => top.current?.scrollIntoView()} />
      )}
    </>
  );
}

function Choice({ name, label, value, options }: { name: string; label: string; value: string; options: string[] }) {
  const id = useId();
  const params = useAddress();
  const all = value && !options.includes(value) ? [value, ...options] : options;
  return (
    <div className="list-filter">
      <label className="field-label" htmlFor={id}>{label}</label>
      <div className="select">
        <select id={id} className="input" value={value} onChange={(event) => goTo(addressWith(params, { [name]: event.target.value, page: null }), { replace: true })}>
          <option value="">{name === "actor" ? "Everybody" : "Everything"}</option>
          {all.map((option) => <option key={option}>{option}</option>)}
        </select>
      </div>
    </div>
  );
}

function Lines({ lines }: { lines: Line[] }) {
  return (
    <table className="admin-table">
      <caption className="hidden-text">Lines of the audit log, the newest first</caption>
      <thead><tr><th scope="col">What</th><th scope="col">Who</th><th scope="col">When</th></tr></thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>
              {line.action} <Subject line={line} />
              {line.detail && <span className="row-email">{detailWords(line.detail)}</span>}
            </td>
            <td>{line.actor}</td>
            <td><Instant at={line.at} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Subject({ line: { kind, subjectId } }: { line: Line }) {
  const known = kinds.find((one) => one === kind);
  if (!known || subjectId === null) return null;
  return <Link href={`${listPath(known)}?id=${subjectId}`} className="soft">{kindWords[known].short}, number {subjectId}</Link>;
}
