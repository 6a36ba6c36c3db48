import { useEffect, useRef } from "react";

/** A button that is disabled while something is under way loses the focus; afterwards it is where people want to be. */
export function useFocusAfter(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(false);
  useEffect(() => {
    if (!busy && was.current && document.activeElement === document.body) button.current?.focus();
    was.current = busy;
  }, [busy]);
  return button;
}
