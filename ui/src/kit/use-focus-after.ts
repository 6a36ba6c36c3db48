import { useEffect, useRef } from "react";

/** Returns the focus to a button that was disabled during a task, because disabling it took the focus away. */
export function useFocusAfter(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const was = useRef(false);
  useEffect(() => {
    if (!busy && was.current && document.activeElement === document.body) button.current?.focus();
    was.current = busy;
  }, [busy]);
  return button;
}
