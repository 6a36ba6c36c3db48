import { useEffect, useId, useRef, type FormEvent } from "react";
import type { Kind } from "../../lib/page";
import { addressWith, goTo, useAddress } from "../shell/address";
import { useAdmin } from "../shell/admin-context";
import { useExport } from "../exports/use-export";
import { listedStatuses, paymentStatuses } from "../shell/statuses";
import type { Asked } from "./use-list";

/** After so long without a key, a search is what was meant. */
const pause = 250;

interface Props {
  kind: Kind;
  asked: Asked;
  reading: boolean;
  onRefresh: () => unknown;
}

export function ListTools({ kind, asked, reading, onRefresh }: Props) {
  const id = useId();
  const params = useAddress();
  const { busy, save } = useExport();
  const { categoryNames } = useAdmin();
  const hasCategories = kind === "competition-entries";
  const change = (changes: Record<string, string>) => goTo(addressWith(params, { ...changes, page: null }), { replace: true });
  return (
    <div className={hasCategories ? "list-tools list-tools-wide" : "list-tools"}>
      <SearchField asked={asked.search} onSearch={(search) => change({ search })} />
      <div className="list-filter">
        <label className="field-label" htmlFor={`${id}-status`}>Status</label>
        <div className="select">
          <select id={`${id}-status`} className="input" value={asked.status} onChange={(event) => change({ status: event.target.value })}>
            <option value="">All except spam</option>
            {hasCategories ? (
              <>
                <optgroup label="Payment"><Options words={paymentStatuses} /></optgroup>
                <optgroup label="Screening"><Options words={listedStatuses(kind)} /></optgroup>
              </>
            ) : <Options words={listedStatuses(kind)} />}
          </select>
        </div>
      </div>
      {hasCategories && (
        <div className="list-filter">
          <label className="field-label" htmlFor={`${id}-category`}>Category</label>
          <div className="select">
            <select id={`${id}-category`} className="input" value={asked.category} onChange={(event) => change({ category: event.target.value })}>
              <option value="">All categories</option>
              <Options words={categoryNames} />
            </select>
          </div>
        </div>
      )}
      <div className="list-actions">
        <button type="button" className="text-button" aria-disabled={reading} onClick={() => void onRefresh()}>{reading ? "Reading..." : "Refresh"}</button>
        <button type="button" className="text-button" aria-disabled={busy} onClick={() => void save("csv", { kind, status: asked.status, search: asked.search, ...(hasCategories && { category: asked.category }) })}>
          Download as CSV
        </button>
      </div>
    </div>
  );
}

function Options({ words }: { words: Record<string, string> }) {
  return Object.entries(words).map(([value, word]) => <option key={value} value={value}>{word}</option>);
}

/** Searches a moment after the last key, or at once on Enter. What is searched for is in the address. */
function SearchField({ asked, onSearch }: { asked: string; onSearch: (search: string) => void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => () => clearTimeout(timer.current), []);
  // The address also changes by the back button and by "Clear".
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = asked;
  }, [asked]);

  const search = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(input.current?.value.trim() ?? ""), delay);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(0);
  };
  return (
    <form role="search" aria-label="This list" className="list-search" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>Search names, companies, email, phone or @handle</label>
      <input ref={input} id={id} type="search" className="input" defaultValue={asked} autoComplete="off" spellCheck={false} maxLength={200} onChange={() => search(pause)} />
    </form>
  );
}
