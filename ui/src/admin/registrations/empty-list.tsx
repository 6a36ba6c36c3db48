import { buttonClass } from "../../kit/button-class";
import type { Kind } from "../../lib/page";
import { useShell } from "../../lib/shell-context";
import { AddressLink } from "../shell/address-link";
import { useAdmin } from "../shell/admin-context";
import { kindLabels } from "../shell/kinds";
import { statusLabel } from "../shell/statuses";
import type { ListQuery } from "./api";

/** Why there is nothing here, and what to do next. */
export function EmptyList({ kind, query: { search, status, category, page } }: { kind: Kind; query: ListQuery }) {
  const { openings, offer } = useShell();
  const { categoryNames } = useAdmin();
  const { plural, form } = kindLabels[kind];
  if (search || status || category) {
    return (
      <div className="empty">
        <p className="title">Nothing found{search && <> for &ldquo;{search}&rdquo;</>}{status && ` with the status ${statusLabel(status, kind)}`}{category && ` in ${categoryNames[category] ?? category}`}</p>
        <p className="soft">The search covers names, companies, email addresses, phone numbers and @handles, not long answers.</p>
        <AddressLink to={{ search: null, status: null, category: null, page: null }} className={buttonClass("outline")}>Show all {plural.toLowerCase()}</AddressLink>
      </div>
    );
  }
  if (page > 1) {
    return (
      <div className="empty">
        <p className="title">There is no page {page}</p>
        <AddressLink to={{ page: null }} className={buttonClass("outline")}>Go to the first page</AddressLink>
      </div>
    );
  }
  const opening = openings[kind];
  const takesNoPayments = kind === "competition-entries" && opening.open && offer === null;
  return (
    <div className="empty">
      <p className="title">No {plural.toLowerCase()} yet</p>
      {takesNoPayments ? <p className="soft">The form is open, but nobody can enter until the server takes payments.</p> : opening.open
        ? <p className="soft">The form is open. Share its address: submissions appear here as they arrive.</p>
        : <p className="soft">The form is closed{opening.message ? `: ${opening.message}` : "."}</p>}
      <a href={form} className={buttonClass("outline")}>Open the form</a>
    </div>
  );
}
