import { useId, useLayoutEffect, useRef, useState, useSyncExternalStore, type MouseEvent, type ReactNode } from "react";
import { Button } from "./button";
import { shownToast, subscribeToToasts, type Toast } from "./toast-store";

interface Props {
  title: string;
  eyebrow?: string;
  onClose: () => void;
  /** The label of the button that closes it. */
  closeLabel?: string;
  /** Only as tall as its content, for a short question. */
  small?: boolean;
  /** Buttons before the one that closes it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A modal dialog, open while it is rendered. The browser keeps the focus inside and returns it afterwards. */
export function Dialog({ title, eyebrow, onClose, closeLabel = "Close", small = false, actions, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const failure = useFailure();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the scrollable region, whose frame would surround the whole text.
    heading.current?.focus();
    // Closing before the element leaves the page is what returns the focus.
    return () => element?.close();
  }, []);

  // A text selection that begins in a field may end on the backdrop.
  const closeOnBackdrop = ({ target, currentTarget }: MouseEvent<HTMLDialogElement>) => {
    if (target === currentTarget && target === pressed.current) onClose();
  };

  return (
    // The backdrop is the dialog itself; Escape reaches `onCancel`.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={small ? "dialog dialog-small" : "dialog"}
      aria-labelledby={headingId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={({ target }) => void (pressed.current = target)}
      onClick={closeOnBackdrop}
    >
      <div className="dialog-sheet">
        <header className="dialog-head">
          {eyebrow && <p className="eyebrow">{eyebrow}</p>}
          <h2 ref={heading} id={headingId} className="dialog-title" tabIndex={-1}>{title}</h2>
        </header>
        {/* A long text must scroll by keyboard, too. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="dialog-body" role="region" aria-labelledby={headingId} tabIndex={0}>
          {children}
        </div>
        <footer className="dialog-foot">
          {failure && <p key={failure.id} role="alert" className="field-error">{failure.message}</p>}
          {actions}
          <Button look="outline" onClick={onClose}>{closeLabel}</Button>
        </footer>
      </div>
    </dialog>
  );
}

/** The notification of a failure since the dialog opened. The dialog covers the notification, which is inert meanwhile. */
function useFailure(): Toast | undefined {
  const shown = useSyncExternalStore(subscribeToToasts, shownToast, () => null);
  const [before] = useState(shown);
  const [latest, setLatest] = useState(shown);
  if (shown && shown !== latest) setLatest(shown);
  return latest !== before && latest?.tone === "destructive" ? latest : undefined;
}
