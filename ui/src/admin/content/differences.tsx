import { AddressLink } from "../shell/address-link";
import type { Difference } from "./api";
import type { Table } from "./field-types";
import { differenceText, placeOf } from "./places";

/** What differs between two versions, in words. */
export function Differences({ changes, content, linked = false }: { changes: readonly Difference[]; content: Table; linked?: boolean }) {
  return (
    <ul className="site-changes">
      {changes.map((change) => {
        const place = placeOf(change.path, content);
        const { done, before, after } = differenceText(change, place?.field);
        const [part = "Other", ...labels] = place?.labels ?? [];
        const label = labels.join(" › ") || change.path;
        return (
          <li key={`${change.kind} ${change.path}`}>
            <p className="site-change-place">
              <span className="eyebrow">{part}</span>
              {linked && place && change.kind !== "removed" ? <AddressLink to={{ view: null, part: place.part, at: change.path }} arrives>{label}</AddressLink> : <span>{label}</span>}
            </p>
            <p className="site-change-done">{done}</p>
            {(before !== undefined || after !== undefined) && (
              <p className="site-change-values">
                {before !== undefined && <del><span className="hidden-text">Before: </span>{before}</del>}
                {after !== undefined && <ins><span className="hidden-text">After: </span>{after}</ins>}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
