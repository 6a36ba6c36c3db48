import { useId, useState } from "react";
import { Link } from "wouter";
import { kinds, type Kind } from "../../lib/page";
import { deskPath, kindWords } from "./kinds";
import { useAttention } from "../overview/attention";
import { roomNames, roomPath, rooms, type Room } from "./sections";
import { countOf, grouped, useSummary } from "./summary";

/** The rooms of the desk, with how much is new in each. On a phone it opens below the bar. */
export function DeskMenu({ current }: { current: Kind | Room | null }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const total = countOf(useSummary().data, "totalRegistrations");
  const attention = useAttention().data;
  const news = (key: string) => {
    const count = attention?.new?.[key];
    return count ? `${grouped(count)} new` : undefined;
  };
  return (
    <nav className="desk-menu" aria-label="Desk">
      <button type="button" className="desk-menu-button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {current === null ? "Overview" : isKind(current) ? kindWords[current].plural : rooms[current]}
      </button>
      <ul id={id} className={open ? "is-open" : undefined}>
        <Entry href={deskPath()} label="Overview" count={total === undefined ? undefined : grouped(total)} here={current === null} onGo={() => setOpen(false)} />
        {kinds.map((kind) => (
          <Entry key={kind} href={deskPath(kind)} label={kindWords[kind].plural} count={news(kindWords[kind].summaryKey)} here={current === kind} onGo={() => setOpen(false)} />
        ))}
        {roomNames.map((room, index) => (
          <Entry key={room} href={roomPath(room)} label={rooms[room]} count={undefined} here={current === room} onGo={() => setOpen(false)} first={index === 0} />
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

function isKind(current: Kind | Room): current is Kind {
  return current in kindWords;
}

function Entry({ href, label, count, here, onGo, first = false }: EntryProps) {
  return (
    <li className={first ? "desk-menu-first" : undefined}>
      <Link href={href} aria-current={here ? "page" : undefined} onClick={onGo}>
        <span>{label}</span>
        {count !== undefined && <span className="desk-menu-count figures">{count}</span>}
      </Link>
    </li>
  );
}
