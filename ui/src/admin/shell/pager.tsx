import { AddressLink } from "./address-link";
import { formatCount } from "./numbers";

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
