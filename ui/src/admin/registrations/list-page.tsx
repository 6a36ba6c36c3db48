import { useRef } from "react";
import { Loaded } from "../../kit/loaded";
import type { Kind } from "../../lib/page";
import { pageIn, useAddress } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import type { FormLabels } from "../shell/form-labels";
import { kindLabels } from "../shell/kinds";
import { Pager } from "../shell/pager";
import { useList, type ListQuery } from "./api";
import { countText } from "./count-text";
import { EmptyList } from "./empty-list";
import { ListTable } from "./list-table";
import { ListTools } from "./list-tools";

/** A kind's registrations: searched, filtered, sorted and paged by the server. */
export function ListPage({ kind, form }: { kind: Kind; form: FormLabels }) {
  const query = useListQuery();
  const read = useList(kind, query);
  const { data: list, error, isValidating, mutate } = read;
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <header className="admin-head">
        <AdminTitle>{kindLabels[kind].plural}</AdminTitle>
        <p role="status" className="soft figures">{list && error === undefined && countText(list, query)}</p>
      </header>
      <ListTools kind={kind} query={query} isLoading={isValidating} onRefresh={() => mutate()} />
      <div ref={top} className="list-top" />
      <Loaded
        of={read} loading="Loading the list…" failed="This list could not be loaded."
        isEmpty={({ items }) => items.length === 0} empty={<EmptyList kind={kind} query={query} />}
      >
        {(loaded) => (
          <>
            <ListTable kind={kind} form={form} list={loaded} sort={query.sort} stale={isValidating} />
            <Pager page={query.page} pages={Math.ceil(loaded.total / loaded.pageSize)} onTurn={() => top.current?.scrollIntoView()} />
          </>
        )}
      </Loaded>
    </>
  );
}

function useListQuery(): ListQuery {
  const params = useAddress();
  return {
    search: params.get("search") ?? "",
    status: params.get("status") ?? "",
    category: params.get("category") ?? "",
    sort: params.get("sort") ?? "-createdAt",
    page: pageIn(params),
  };
}
