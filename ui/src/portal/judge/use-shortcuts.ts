import { useEffect, useState } from "react";

interface Shortcuts {
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
}

/** The page's keys: "n" and "p" for the nominations after and before this one. Not while somebody types. */
export function useShortcuts({ next, previous }: Shortcuts): void {
  useKeys({ n: next, p: previous });
}

/** Calls what belongs to a key, wherever the focus is except in a field or a video, which has keys of its own. */
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
