import { useCallback, useEffect, useRef, useState, useSyncExternalStore, type PointerEvent } from "react";
import { provideToasts, removeToast, shownToast, subscribeToToasts, type Toast } from "./toast-store";

const displayTime = 5000;
const swipeThreshold = 50;

/**
 * The notification area: one at a time, reached with F8. Code that sends notifications imports this file, so that a page
 * has it only with such code, and in time to tell of a lost connection.
 */
function Toasts() {
  const shown = useSyncExternalStore(subscribeToToasts, shownToast, () => null);
  const region = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const [focused, setFocused] = useState(false);

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== "F8") return;
      event.preventDefault();
      if (!region.current?.contains(document.activeElement)) before.current = document.activeElement;
      region.current?.focus();
    };
    addEventListener("keydown", focusRegion);
    return () => removeEventListener("keydown", focusRegion);
  }, []);

  useEffect(() => {
    const lost = document.activeElement === document.body || document.activeElement === region.current;
    if (!shown && lost && before.current instanceof HTMLElement) before.current.focus();
    if (!shown) before.current = null;
  }, [shown]);

  return (
    <section
      ref={region}
      className="toasts"
      aria-label="Notifications (F8)"
      tabIndex={-1}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
    >
      <div role="status" aria-live="polite" aria-atomic="true">
        {shown && shown.tone === "plain" && <ShownToast key={shown.id} toast={shown} held={focused} />}
      </div>
      <div role="alert" aria-atomic="true">
        {shown && shown.tone === "destructive" && <ShownToast key={shown.id} toast={shown} held={focused} />}
      </div>
    </section>
  );
}

/** One notification; it stays while it is `held` or under the pointer. */
function ShownToast({ toast, held }: { toast: Toast; held: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  const [hovered, setHovered] = useState(false);
  const dismiss = useCallback(() => setLeaving(true), []);

  useEffect(() => {
    if (leaving || hovered || held) return;
    const timer = setTimeout(dismiss, displayTime);
    return () => clearTimeout(timer);
  }, [leaving, hovered, held, dismiss]);

  useEffect(() => {
    if (!leaving) return;
    const running = box.current?.getAnimations() ?? [];
    void Promise.allSettled(running.map((animation) => animation.finished)).then(() => removeToast(toast.id));
  }, [leaving, toast.id]);

  return (
    // Escape, hovering and swiping are conveniences; the button does the same.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      className="toast"
      data-tone={toast.tone}
      data-leaving={leaving || undefined}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onKeyDown={(event) => event.key === "Escape" && dismiss()}
      {...useSwipe(dismiss)}
    >
      <p className="toast-title">{toast.title}</p>
      {toast.message && <p className="toast-message">{toast.message}</p>}
      <button type="button" className="toast-close" onClick={dismiss}>
        <span className="hidden-text">Close notification</span>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l10 10M13 3L3 13" /></svg>
      </button>
    </div>
  );
}

/** Moves the element with the pointer, to the right only, and dismisses it past the threshold. */
function useSwipe(dismiss: () => void) {
  const start = useRef<number | null>(null);
  const move = (event: PointerEvent<HTMLElement>, distance: number) =>
    event.currentTarget.style.setProperty("--swipe", `${Math.max(0, distance)}px`);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || (event.target as Element).closest("button")) return;
      start.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current !== null) move(event, event.clientX - start.current);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (start.current === null) return;
      const distance = event.clientX - start.current;
      start.current = null;
      if (distance > swipeThreshold) dismiss();
      else move(event, 0);
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      start.current = null;
      move(event, 0);
    },
  };
}

provideToasts(Toasts);
