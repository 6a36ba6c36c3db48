import { useId, useState } from "react";
import { Link } from "wouter";
import { kinds, type Kind } from "../api/page";
import { deskPath, kindWords } from "./kinds";
import { countOf, grouped, useSummary } from "./summary";

/** The rooms of the desk, with how much is in each. On a phone it opens below the bar. */
export function DeskMenu({ current }: { current: Kind | null }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { data: summary } = useSummary();
  return (
    <nav className="desk-menu" aria-label="Desk">
      <button type="button" className="desk-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {current ? kindWords[current].plural : "Overview"}
      </button>
      <ul id={id} className={open ? "is-open" : undefined}>
        <Room href={deskPath()} label="Overview" count={countOf(summary, "totalRegistrations")} here={current === null} onGo={() => setOpen(false)} />
        {kinds.map((kind) => (
          <Room key={kind} href={deskPath(kind)} label={kindWords[kind].plural} count={countOf(summary, kindWords[kind].summaryKey)} here={current === kind} onGo={() => setOpen(false)} />
        ))}
      </ul>
    </nav>
  );
}

interface RoomProps {
  href: string;
  label: string;
  count: number | undefined;
  here: boolean;
  onGo: () => void;
}

function Room({ href, label, count, here, onGo }: RoomProps) {
  return (
    <li>
      <Link href={href} aria-current={here ? "page" : undefined} onClick={onGo}>
        <span>{label}</span>
        {count !== undefined && <span className="desk-menu-count figures">{grouped(count)}</span>}
      </Link>
    </li>
  );
}
