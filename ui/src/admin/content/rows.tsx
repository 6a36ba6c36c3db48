import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { Icon } from "../../kit/icon";
import { usePage } from "./page-form";
import { isWithin } from "./values";

interface RowsProps {
  label: string;
  keys: readonly string[];
  /** What a row is called when it is moved: its title. */
  name: (index: number) => string;
  onMove: (from: number, to: number) => void;
  /** A row beside its handle. */
  children: (index: number) => ReactNode;
}

/** A list whose rows are put in another order with the arrow keys or by dragging their handle. */
export function Rows({ label, keys, name, onMove, children }: RowsProps) {
  const count = keys.length;
  const hintId = useId();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const [announcement, setAnnouncement] = useState("");

  const move = (from: number, to: number) => {
    if (to === from) return;
    setAnnouncement(`${name(from)} is now ${to + 1} of ${count}.`);
    onMove(from, to);
  };
  const byKey = (event: KeyboardEvent, index: number) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined || to < 0 || to >= count) return;
    event.preventDefault();
    move(index, to);
    setTimeout(() => list.current?.children[to]?.querySelector<HTMLElement>(".site-handle")?.focus());
  };
  /** Where a row would land if it were let go at this height. */
  const placeAt = (y: number, from: number) => [...(list.current?.children ?? [])].filter((row, index) => index !== from && middleOf(row) < y).length;
  const start = (event: PointerEvent<HTMLButtonElement>, index: number) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: index, to: index });
  };
  const follow = (event: PointerEvent) => {
    if (drag) setDrag({ from: drag.from, to: placeAt(event.clientY, drag.from) });
  };
  const drop = () => {
    if (drag) move(drag.from, drag.to);
    setDrag(undefined);
  };
  const markOf = (index: number) => {
    if (!drag) return "site-row";
    if (index === drag.from) return "site-row is-dragged";
    const last = drag.to > drag.from ? drag.to : drag.to - 1;
    if (index === last && drag.to > drag.from) return "site-row has-drop-after";
    return index === drag.to && drag.to < drag.from ? "site-row has-drop-before" : "site-row";
  };
  return (
    <>
      <ol ref={list} className="site-rows" aria-label={label}>
        {keys.map((key, index) => (
          <li key={key} className={markOf(index)}>
            {count > 1 && (
              <button
                type="button" className="site-handle" aria-label={`Move ${name(index)}`} aria-describedby={hintId}
                onKeyDown={(event) => byKey(event, index)} onPointerDown={(event) => start(event, index)} onPointerMove={follow} onPointerUp={drop} onPointerCancel={() => setDrag(undefined)}
              >
                <Icon path="M5 9h14M5 15h14" />
              </button>
            )}
            <div className="site-row-body">{children(index)}</div>
          </li>
        ))}
      </ol>
      <p id={hintId} className="hidden-text">Press the up or down arrow key, or drag.</p>
      <p className="hidden-text" role="status">{announcement}</p>
    </>
  );
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}

interface Props {
  title: ReactNode;
  /** A badge beside the title, such as "Sample". */
  mark?: string | false;
  /** The values inside. It counts their problems, and opens for the one that takes the focus. */
  paths: readonly string[];
  heading?: "h2";
  open?: boolean;
  children: ReactNode;
}

/** A collapsible part of the form. Its fields are rendered only while it is open. */
export function Fold({ title, mark, paths, heading: Heading, open = false, children }: Props) {
  const id = useId();
  const { focused, problems: all, base } = usePage();
  const within = (path: string) => paths.some((outer) => isWithin(path, outer));
  const isWanted = focused !== null && within(focused.path);
  const [isOpen, setOpen] = useState(open || isWanted);
  const [openedFor, setOpenedFor] = useState(focused);
  if (openedFor !== focused) {
    setOpenedFor(focused);
    if (isWanted) setOpen(true);
  }
  const problems = Object.keys(all).filter(within).length;
  const unconfirmed = base.value.unconfirmed.filter(within).length;
  const button = (
    <button type="button" className="site-fold-button" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} onClick={() => setOpen(!isOpen)}>
      <span className="site-fold-title">{title}</span>
      {mark && <span className="site-mark">{mark}</span>}
      {unconfirmed > 0 && <span className="site-mark">{unconfirmed} to be confirmed</span>}
      {problems > 0 && <span className="site-mark is-problem">{problems === 1 ? "1 problem" : `${problems} problems`}</span>}
    </button>
  );
  return (
    <div className={Heading ? "site-fold is-section" : "site-fold"}>
      {Heading ? <Heading className="site-fold-heading">{button}</Heading> : button}
      {isOpen && <div id={id} className="site-fold-body">{children}</div>}
    </div>
  );
}
