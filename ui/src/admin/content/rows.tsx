import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { Icon } from "../../kit/icon";

interface RowsProps {
  label: string;
  keys: readonly number[];
  /** What a row is called when it is moved: its title. */
  name: (index: number) => string;
  onMove: (from: number, to: number) => void;
  /** A row beside its handle. */
  children: (index: number) => ReactNode;
}

/** Keys that stay with the rows when they are moved. */
export function useRowKeys(count: number) {
  const [keys, setKeys] = useState<number[]>([]);
  const next = Math.max(0, ...keys) + 1;
  const shown = keys.length === count ? keys : keys.length < count ? [...keys, ...Array.from({ length: count - keys.length }, (_, more) => next + more)] : keys.slice(0, count);
  if (shown !== keys) setKeys(shown);
  return {
    keys: shown,
    move: (from: number, to: number) => setKeys(moved(shown, from, to)),
    insert: (at: number) => setKeys([...shown.slice(0, at), Math.max(0, ...shown) + 1, ...shown.slice(at)]),
    remove: (at: number) => setKeys(shown.filter((_, index) => index !== at)),
  };
}

export function moved<Member>(list: readonly Member[], from: number, to: number): Member[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), list[from] as Member, ...rest.slice(to)];
}

/** A list whose rows are put in another order with the arrow keys or by dragging their handle. */
export function Rows({ label, keys, name, onMove, children }: RowsProps) {
  const count = keys.length;
  const hintId = useId();
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const [announcement, setAnnouncement] = useState("");

  const move = (from: number, to: number) => {
    if (to < 0 || to >= count || to === from) return;
    setAnnouncement(`${name(from)} is now ${to + 1} of ${count}.`);
    onMove(from, to);
  };
  const byKey = (event: KeyboardEvent, index: number) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(index, to);
  };
  /** Where a row would land if it were let go at this height. */
  const placeAt = (y: number, from: number) => {
    const rows = [...(list.current?.children ?? [])];
    const above = rows.filter((row, index) => index !== from && middleOf(row) < y).length;
    return above;
  };
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
