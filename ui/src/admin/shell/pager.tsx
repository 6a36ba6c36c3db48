import { AddressLink } from "./address-link";
import { grouped } from "./summary";

/** The way to the other pages of a list. */
export function Pager({ page, pages, onTurn }: { page: number; pages: number; onTurn: () => void }) {
  return (
    <nav className="pager figures" aria-label="Pages of this list">
      {page > 1 ? <AddressLink to={{ page: page === 2 ? null : page - 1 }} rel="prev" onGo={onTurn}>Previous</AddressLink> : <span className="soft">Previous</span>}
      <span data-focus>Page {grouped(page)} of {grouped(pages)}</span>
      {page < pages ? <AddressLink to={{ page: page + 1 }} rel="next" onGo={onTurn}>Next</AddressLink> : <span className="soft">Next</span>}
    </nav>
  );
}
