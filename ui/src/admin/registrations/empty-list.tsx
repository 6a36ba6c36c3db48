import type { Kind } from "../../lib/page";
import { useShell } from "../../lib/shell-context";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { kindWords } from "../shell/kinds";
import { statusWord } from "../shell/statuses";
import type { Asked } from "./use-list";

/** Why there is nothing here, and what to do next. */
export function EmptyList({ kind, asked: { search, status, category, page } }: { kind: Kind; asked: Asked }) {
  const { openings } = useShell();
  const { categoryNames } = useAdmin();
  const { plural, form } = kindWords[kind];
  if (search || status || category) {
    return (
      <div className="empty">
        <p className="title">Nothing found{search && <> for &ldquo;{search}&rdquo;</>}{status && ` with the status ${statusWord(status, kind)}`}{category && ` in ${categoryNames[category] ?? category}`}</p>
        <p className="soft">The search looks at names, companies, email addresses, phone numbers and @handles, not at long answers.</p>
        <AddressLink to={{ search: null, status: null, category: null, page: null }} className="button button-outline admin-button">Show all {plural.toLowerCase()}</AddressLink>
      </div>
    );
  }
  if (page > 1) {
    return (
      <div className="empty">
        <p className="title">There is no page {page} any more</p>
        <AddressLink to={{ page: null }} className="button button-outline admin-button">Go to the first page</AddressLink>
      </div>
    );
  }
  const opening = openings[kind];
  return (
    <div className="empty">
      <p className="title">No {plural.toLowerCase()} yet</p>
      {opening.open
        ? <p className="soft">The form is open. Share its address, and whoever fills it in stands here at once.</p>
        : <p className="soft">The form is closed{opening.message ? `: ${opening.message}` : "."} It opens with the event&rsquo;s content.</p>}
      <a href={form} className="button button-outline admin-button">Look at the form</a>
    </div>
  );
}
