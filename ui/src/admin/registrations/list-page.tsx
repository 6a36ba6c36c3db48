import { useRef } from "react";
import type { Kind } from "../../lib/page";
import { AdminTitle } from "../shell/admin-title";
import { EmptyList } from "./empty-list";
import { Failure } from "../shell/failure";
import type { FormLabels } from "../shell/form-labels";
import { kindWords } from "../shell/kinds";
import { ListTable } from "./list-table";
import { ListTools } from "./list-tools";
import { Pager } from "../shell/pager";
import { grouped } from "../shell/summary";
import { pageSize, useAsked, useList, type Asked, type List } from "./use-list";

/** A kind's registrations: searched, filtered, sorted and turned page by page on the server. */
export function ListPage({ kind, form }: { kind: Kind; form: FormLabels }) {
  const asked = useAsked();
  const { data: list, error, isValidating, mutate } = useList(kind, asked);
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{kindWords[kind].plural}</AdminTitle>
        <p role="status" className="soft figures">{list && !error && saysHowMany(list, asked)}</p>
      </header>
      <ListTools kind={kind} asked={asked} reading={isValidating} onRefresh={() => mutate()} />
      <div ref={top} className="list-top" />
      {error !== undefined && <Failure error={error} onRetry={() => mutate()}>This list could not be read.</Failure>}
      {error === undefined && !list && <p className="admin-waiting">Reading the list...</p>}
      {error === undefined && list && (list.items.length === 0
        ? <EmptyList kind={kind} asked={asked} />
        : <ListTable kind={kind} form={form} list={list} sort={asked.sort} stale={isValidating} />)}
      {error === undefined && list && list.total > pageSize && (
        <Pager page={asked.page} pages={Math.ceil(list.total / pageSize)} onTurn={() => top.current?.scrollIntoView()} />
      )}
    </>
  );
}

function saysHowMany({ items, total, page, pageSize: size }: List, { search, status, category }: Asked): string {
  const narrowed = search || status || category ? " found" : " in all";
  if (total <= size || items.length === 0) return `${grouped(total)}${narrowed}`;
  const first = (page - 1) * size + 1;
  return `${grouped(first)} to ${grouped(first + items.length - 1)} of ${grouped(total)}${narrowed}`;
}
