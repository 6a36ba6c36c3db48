import { Link } from "wouter";
import { Select, type Option } from "../../kit/select";
import { Table } from "../../kit/table";
import type { AuditEntry } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { useFilters, PagedList, Refresh } from "../shell/list";
import { AdminTitle } from "../shell/admin-title";
import { useJudges } from "../judging/api";
import { useAdmin, Instant } from "../shell/admin-context";
import { kindLabels, recordPath } from "../shell/kinds";
import { formatCount } from "../shell/numbers";
import { sections } from "../shell/sections";
import { pageSize, useAuditLog } from "./api";
import { actionTitle, actorName, categoryName, sentenceOf, type Names } from "./sentences";

/** Who did what, and when. */
export function AuditSection() {
  const { filter: { actor, action }, page, show } = useFilters("actor", "action");
  const log = useAuditLog({ actor, action, page });
  const { data, error } = log;
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{sections.audit}</AdminTitle>
        <p role="status" className="soft figures">{data && error === undefined && `${formatCount(data.total)} ${data.total === 1 ? "line" : "lines"}`}</p>
      </header>
      <div className="list-tools">
        <Select label="Who" value={actor} options={filterOptions("Everybody", actor, data?.actors, actorName)} onChange={({ target }) => show({ actor: target.value })} />
        <Select label="What" value={action} options={filterOptions("Everything", action, data?.actions, actionTitle)} onChange={({ target }) => show({ action: target.value })} />
        <div className="list-actions"><Refresh of={log} /></div>
      </div>
      <PagedList
        of={log} page={page} pageSize={pageSize} loading="Loading the audit log…" failed="The audit log could not be loaded."
        empty={<p className="empty">Nothing matches these filters.</p>}
      >
        {({ items }) => <AuditTable entries={items} />}
      </PagedList>
    </>
  );
}

/** The address may name something that is not in the log. */
function filterOptions(all: string, value: string, values: string[] = [], labelOf: (value: string) => string): Option[] {
  const known = value && !values.includes(value) ? [value, ...values] : values;
  return [{ value: "", label: all }, ...known.map((one) => ({ value: one, label: labelOf(one) }))];
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
