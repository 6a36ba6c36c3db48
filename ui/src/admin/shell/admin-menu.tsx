import { useId, useState } from "react";
import { Link } from "wouter";
import { kinds, type Kind } from "../../lib/page";
import { listPath, kindWords } from "./kinds";
import { useAttention } from "../overview/attention";
import { sectionNames, sectionPath, sections, type SectionName } from "./sections";
import { countOf, grouped, useSummary } from "./summary";

/** The sections, with the number of new registrations in each. On a phone it opens below the bar. */
export function AdminMenu({ current }: { current: Kind | SectionName | null }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const total = countOf(useSummary().data, "totalRegistrations");
  const attention = useAttention().data;
  const news = (key: string) => {
    const count = attention?.new?.[key];
    return count ? `${grouped(count)} new` : undefined;
  };
  return (
    <nav className="admin-menu" aria-label="Admin">
      <button type="button" className="admin-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {current === null ? "Overview" : isKind(current) ? kindWords[current].plural : sections[current]}
      </button>
      <ul id={id} className={open ? "is-open" : undefined}>
        <Entry href={listPath()} label="Overview" count={total === undefined ? undefined : grouped(total)} here={current === null} onGo={() => setOpen(false)} />
        {kinds.map((kind) => (
          <Entry key={kind} href={listPath(kind)} label={kindWords[kind].plural} count={news(kindWords[kind].summaryKey)} here={current === kind} onGo={() => setOpen(false)} />
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
  return current in kindWords;
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
