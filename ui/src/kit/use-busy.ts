import { useRef, useState } from "react";

/** Runs one task at a time. Another press meanwhile does nothing, and the button keeps the focus. */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (task: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await task();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, run };
}
