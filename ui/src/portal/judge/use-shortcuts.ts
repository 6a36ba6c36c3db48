import { useEffect, useState } from "react";

interface Shortcuts {
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
}

/** The page's shortcuts: "n" for the next nomination, "p" for the previous one. Not while somebody is typing. */
export function useShortcuts({ next, previous }: Shortcuts): void {
  useKeys({ n: next, p: previous });
}

/** Calls the function of the pressed key, unless the focus is in a field or in a video, which has its own shortcuts. */
export function useKeys(keys: Record<string, (() => void) | undefined>): void {
  const [latest] = useState(() => ({ keys }));
  useEffect(() => {
    latest.keys = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog, video")) return;
      const act = latest.keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [latest]);
}
