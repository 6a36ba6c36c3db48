import { useEffect, useSyncExternalStore } from "react";
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
