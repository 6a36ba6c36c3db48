import { useRef, type ComponentProps, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { addressWith, pageIn, Pager, useAddress } from "./address";

/** The filters and the page of a list, which are in the address. */
export function useFilters<Name extends string>(...names: Name[]) {
  const params = useAddress();
  const [, goTo] = useLocation();
  const filter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])) as Record<Name, string>;
  /** Changes filters, which leads back to the first page. */
  const show = (changes: Partial<Record<Name, string>>) => goTo(addressWith(params, { ...changes, page: null }), { replace: true });
  return { filter, page: pageIn(params), isFiltered: Object.values(filter).some(Boolean), show };
}

interface PagedListProps<Page> extends Omit<ComponentProps<typeof Loaded<Page>>, "isEmpty"> {
  page: number;
  pageSize: number;
  children: (page: Page) => ReactNode;
}

/** One page of a list, and the links to the others, which scroll to its top. */
export function PagedList<Page extends { items: readonly unknown[]; total: number }>({ page, pageSize, children, ...loaded }: PagedListProps<Page>) {
  const top = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={top} className="list-top" />
      <Loaded {...loaded} isEmpty={({ items }) => items.length === 0}>
        {(data) => <>{children(data)}<Pager page={page} pages={Math.ceil(data.total / pageSize)} onTurn={() => top.current?.scrollIntoView()} /></>}
      </Loaded>
    </>
  );
}

/** Loads a list again. */
export function Refresh({ of: { isValidating, mutate } }: { of: { isValidating: boolean; mutate: () => unknown } }) {
  return <Button look="text" busy={isValidating} busyLabel="Loading…" onClick={() => void mutate()}>Refresh</Button>;
}
