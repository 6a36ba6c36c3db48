import { Fragment, useId, useState } from "react";
import { Link } from "wouter";
import { useAttention } from "../overview/api";
import { recordIn, useAddress } from "./address";
import { countOf, useSummary } from "./api";
import { kindLabels, listPath } from "./kinds";
import { formatCount } from "./numbers";
import { isKind, menu, menuEntry, sectionPath, sectionTitle, type MenuPage } from "./sections";

/** The sections under their headings. On a phone it opens below the bar. */
export function AdminMenu({ current }: { current: MenuPage | null }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const total = countOf(useSummary().data, "totalRegistrations");
  const newIn = useNewIn();
  const close = () => setOpen(false);
  return (
    <nav className="admin-menu" aria-label="Admin">
      <button type="button" className="admin-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {current === null ? "Overview" : menuEntry(current)?.label}
      </button>
      <div id={id} className={open ? "admin-menu-groups is-open" : "admin-menu-groups"}>
        <ul>
          <Entry href={listPath()} label="Overview" count={total === undefined ? undefined : formatCount(total)} here={current === null ? "page" : undefined} onGo={close} />
        </ul>
        {menu.map(({ heading, entries }) => (
          <Fragment key={heading}>
            <p className="admin-menu-heading" aria-hidden="true">{heading}</p>
            <ul aria-label={heading}>
              {entries.map(({ label, pages }) => {
                const count = pages.reduce((sum, page) => sum + newIn(page), 0);
                const here = current === null || !pages.includes(current) ? undefined : pages.length > 1 ? "true" : "page";
                return <Entry key={label} href={sectionPath(pages[0]!)} label={label} count={count === 0 ? undefined : `${formatCount(count)} new`} here={here} onGo={close} />;
              })}
            </ul>
          </Fragment>
        ))}
      </div>
    </nav>
  );
}

interface EntryProps {
  href: string;
  label: string;
  count: string | undefined;
  /** "true": one of its tabs is shown. */
  here: "page" | "true" | undefined;
  onGo: () => void;
}

function Entry({ href, label, count, here, onGo }: EntryProps) {
  return (
    <li>
      <Link href={href} aria-current={here} onClick={onGo}>
        <span>{label}</span>
        {count !== undefined && <span className="admin-menu-count figures">{count}</span>}
      </Link>
    </li>
  );
}

/** The pages of one entry of the menu, such as the registrations by kind. Nothing if it has only one, and none above a single record, which has a link back to its list. */
export function SectionTabs({ current }: { current: MenuPage }) {
  const newIn = useNewIn();
  const isRecord = recordIn(useAddress()) !== undefined;
  const entry = menuEntry(current);
  if (isRecord || !entry || entry.pages.length === 1) return null;
  return (
    <nav className="section-tabs" aria-label={entry.label}>
      <ul>
        {entry.pages.map((page) => (
          <li key={page}>
            <Link href={sectionPath(page)} aria-current={page === current ? "page" : undefined}>
              {isKind(page) ? kindLabels[page].short : sectionTitle(page)}
              {newIn(page) > 0 && <span className="admin-menu-count figures">{formatCount(newIn(page))}<span className="section-tab-new"> new</span></span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How many registrations of a kind nobody has looked at yet. */
function useNewIn(): (page: MenuPage) => number {
  const counts = useAttention().data?.new;
  return (page) => (isKind(page) && counts?.[kindLabels[page].summaryKey]) || 0;
}
