import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { Icon } from "../../kit/icon";

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
