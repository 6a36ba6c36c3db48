import { useRef } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { Select } from "../../kit/select";
import { Table } from "../../kit/table";
import { kinds } from "../../lib/page";
import { addressWith, pageIn, useAddress, Pager } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { pageSize, useAuditLog, type AuditEntry } from "./api";
import { useJudges } from "../judging/api";
import { useAdmin, Instant } from "../shell/admin-context";
import { actionTitle, actorName, categoryName, sentenceOf, type Names } from "./sentences";
import { kindLabels, recordPath } from "../shell/kinds";
import { formatCount } from "../shell/numbers";
import { sections } from "../shell/sections";

/** Who did what, and when. */
export function AuditSection() {
  const params = useAddress();
  const query = { actor: params.get("actor") ?? "", action: params.get("action") ?? "", page: pageIn(params) };
  const log = useAuditLog(query);
  const { data, error, isValidating, mutate } = log;
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.audit}</AdminTitle>
        <p role="status" className="soft figures">{data && error === undefined && `${formatCount(data.total)} ${data.total === 1 ? "line" : "lines"}`}</p>
      </header>
      <div className="list-tools">
        <Filter name="actor" label="Who" all="Everybody" value={query.actor} values={data?.actors ?? []} labelOf={actorName} />
        <Filter name="action" label="What" all="Everything" value={query.action} values={data?.actions ?? []} labelOf={actionTitle} />
        <div className="list-actions">
          <Button look="text" busy={isValidating} busyLabel="Loading…" onClick={() => void mutate()}>Refresh</Button>
        </div>
      </div>
      <div ref={top} className="list-top" />
      <Loaded
        of={log} loading="Loading the audit log…" failed="The audit log could not be loaded."
        isEmpty={({ items }) => items.length === 0} empty={<p className="empty">Nothing matches these filters.</p>}
      >
        {({ items, total }) => (
          <>
            <AuditTable entries={items} />
            <Pager page={query.page} pages={Math.ceil(total / pageSize)} onTurn={() => top.current?.scrollIntoView()} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface FilterProps {
  name: "actor" | "action";
  label: string;
  /** The option that filters nothing. */
  all: string;
  value: string;
  values: string[];
  labelOf: (value: string) => string;
}

function Filter({ name, label, all, value, values, labelOf }: FilterProps) {
  const params = useAddress();
  const [, goTo] = useLocation();
  // The address may name something that is not in the log.
  const known = value && !values.includes(value) ? [value, ...values] : values;
  return (
    <Select
      label={label} value={value} options={[{ value: "", label: all }, ...known.map((one) => ({ value: one, label: labelOf(one) }))]}
      onChange={(event) => goTo(addressWith(params, { [name]: event.target.value, page: null }), { replace: true })}
    />
  );
}

function AuditTable({ entries }: { entries: AuditEntry[] }) {
  const names = useNames();
  return (
    <Table
      caption="Lines of the audit log, the newest first" rows={entries} rowKey={({ id }) => id}
      columns={[
        {
          name: "what", label: "What",
          cell: (entry) => <><Sentence entry={entry} names={names} /><span className="row-email narrow-only">{actorName(entry.actor)}, <Instant at={entry.at} /></span></>,
        },
        { name: "who", label: "Who", from: "wide", cell: ({ actor }) => actorName(actor) },
        { name: "when", label: "When", from: "wide", cell: ({ at }) => <Instant at={at} /> },
      ]}
    />
  );
}

/** A judge who was removed is shown by id. */
function useNames(): Names {
  const { categoryNames, nominationNames } = useAdmin();
  const judges = useJudges().data?.items ?? [];
  return {
    category: (slug, subCategory) => categoryName(categoryNames, nominationNames, slug, subCategory),
    judge: (id) => judges.find((judge) => String(judge.id) === id)?.name ?? id,
  };
}

function Sentence({ entry, names }: { entry: AuditEntry; names: Names }) {
  const [before, after] = sentenceOf(entry, names);
  return <>{before}<Subject entry={entry} />{after}</>;
}

function Subject({ entry: { kind, subjectId } }: { entry: AuditEntry }) {
  const known = kinds.find((one) => one === kind);
  if (!known || subjectId === null) return null;
  return <Link href={recordPath(known, subjectId)} >{kindLabels[known].singular} {subjectId}</Link>;
}
