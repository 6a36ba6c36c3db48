import { useId, useState } from "react";
import { Link } from "wouter";
import { kinds, type Kind } from "../../lib/page";
import { listPath, kindLabels } from "./kinds";
import { useAttention } from "../overview/api";
import { sectionNames, sectionPath, sections, type SectionName } from "./sections";
import { countOf, useSummary } from "./api";
import { formatCount } from "./numbers";

/** The sections, with the number of new registrations in each. On a phone it opens below the bar. */
export function AdminMenu({ current }: { current: Kind | SectionName | null }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const total = countOf(useSummary().data, "totalRegistrations");
  const attention = useAttention().data;
  const newIn = (key: string) => {
    const count = attention?.new?.[key];
    return count ? `${formatCount(count)} new` : undefined;
  };
  return (
    <nav className="admin-menu" aria-label="Admin">
      <button type="button" className="admin-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {current === null ? "Overview" : isKind(current) ? kindLabels[current].plural : sections[current]}
      </button>
      <ul id={id} className={open ? "is-open" : undefined}>
        <Entry href={listPath()} label="Overview" count={total === undefined ? undefined : formatCount(total)} here={current === null} onGo={() => setOpen(false)} />
        {kinds.map((kind) => (
          <Entry key={kind} href={listPath(kind)} label={kindLabels[kind].plural} count={newIn(kindLabels[kind].summaryKey)} here={current === kind} onGo={() => setOpen(false)} />
        ))}
        {sectionNames.map((section, index) => (
          <Entry key={section} href={sectionPath(section)} label={sections[section]} count={undefined} here={current === section} onGo={() => setOpen(false)} first={index === 0} />
        ))}
      </ul>
    </nav>
  );
}

interface EntryProps {
  href: string;
  label: string;
  count: string | undefined;
  here: boolean;
  /** The first of another group. */
  first?: boolean;
  onGo: () => void;
}

function isKind(current: Kind | SectionName): current is Kind {
  return current in kindLabels;
}

function Entry({ href, label, count, here, onGo, first = false }: EntryProps) {
  return (
    <li className={first ? "admin-menu-first" : undefined}>
      <Link href={href} aria-current={here ? "page" : undefined} onClick={onGo}>
        <span>{label}</span>
        {count !== undefined && <span className="admin-menu-count figures">{count}</span>}
      </Link>
    </li>
  );
}
