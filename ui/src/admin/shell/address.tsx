import { useEffect, type AnchorHTMLAttributes, type ReactNode } from "react";
import { useSearch, Link } from "wouter";
import { focusNextTitle } from "./admin-title";
import { formatCount } from "./numbers";

/** The state of a section is in its address, so that it can be shared, reloaded and returned to. */
export type Changes = Record<string, string | number | null>;

export function useAddress(): URLSearchParams {
  return new URLSearchParams(useSearch());
}

/** The same section with other parameters; null removes one. */
export function addressWith(params: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const query = next.toString();
  return query ? `?${query}` : location.pathname;
}

/** After the back or forward button, the title of the page that it leads to gets the focus. */
export function useTitleFocusAfterBack(): void {
  useEffect(() => {
    addEventListener("popstate", focusNextTitle);
    return () => removeEventListener("popstate", focusNextTitle);
  }, []);
}

/** The number in `?page=3`; 1 if there is none. */
export function pageIn(params: URLSearchParams): number {
  return positiveInteger(params.get("page")) ?? 1;
}

/** The id of the record that `?id=` opens. */
export function recordIn(params: URLSearchParams): number | undefined {
  return positiveInteger(params.get("id"));
}

function positiveInteger(text: string | null): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "onClick" | "className"> {
  to: Changes;
  className?: string;
  /** It leads to something with a title of its own, which takes the focus. */
  focusTitle?: boolean;
  onGo?: () => void;
  children: ReactNode;
}

/** A link to the same section with other parameters. */
export function AddressLink({ to, focusTitle = false, onGo, ...rest }: Props) {
  const go = () => {
    if (focusTitle) focusNextTitle();
    onGo?.();
  };
  return <Link href={addressWith(useAddress(), to)} onClick={go} {...rest} />;
}

/** Links to the previous and next page of a list; nothing if it has only one page. */
export function Pager({ page, pages, onTurn }: { page: number; pages: number; onTurn: () => void }) {
  if (pages < 2) return null;
  return (
    <nav className="pager figures" aria-label="Pages of this list">
      {page > 1 ? <AddressLink to={{ page: page === 2 ? null : page - 1 }} rel="prev" onGo={onTurn}>Previous</AddressLink> : <span className="soft">Previous</span>}
      <span data-focus>Page {formatCount(page)} of {formatCount(pages)}</span>
      {page < pages ? <AddressLink to={{ page: page + 1 }} rel="next" onGo={onTurn}>Next</AddressLink> : <span className="soft">Next</span>}
    </nav>
  );
}
