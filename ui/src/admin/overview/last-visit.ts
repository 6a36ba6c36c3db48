import { useEffect } from "react";
import { serverNow } from "../../lib/server-clock";

const name = "desk:last-visit";

/** Read once for each load of the page, before this visit is noted. */
const before = read();

/** When this browser last showed the overview before this visit; undefined the first time, or without storage. */
export function useLastVisit(): number | undefined {
  useEffect(() => {
    try {
      localStorage.setItem(name, String(serverNow()));
    } catch {
      // Without storage every visit is the first.
    }
  }, []);
  return before;
}

function read(): number | undefined {
  try {
    return Number(localStorage.getItem(name)) || undefined;
  } catch {
    return undefined;
  }
}
