import { useEffect, useSyncExternalStore, useState } from "react";
import { withWaiting } from "./changes";
import type { Sheet } from "./api";
import type { ScoringContext } from "./scoring";

/** A sheet as its judge has left it; the sheets after it are loaded meanwhile. */
export function useSheet(token: string, { sheets, sending }: ScoringContext): { sheet: Sheet | undefined; error: unknown } {
  const read = useSyncExternalStore(sheets.subscribe, () => sheets.get(token), () => undefined);
  useEffect(() => {
    let isLeft = false;
    // A sheet that was loaded before is shown at once, and loaded again.
    const known = sheets.get(token)?.sheet;
    void sheets.load(token).then((loaded) => {
      const sheet = loaded ?? known;
      if (sheet && !isLeft) void sheets.prefetch(sheet);
    });
    return () => {
      isLeft = true;
    };
  }, [sheets, token]);
  const values = sending.waiting.filter((kept) => kept.sheet === token).map(({ change }) => change);
  return { sheet: read?.sheet && withWaiting(read.sheet, values), error: read?.error };
}

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
