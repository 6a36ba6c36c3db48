const name = "desk:last-visit";

let before: number | undefined;

/** When this browser last showed the organiser's pages before this visit; undefined the first time, or without storage. */
export function lastVisit(now = Date.now()): number | undefined {
  if (noted) return before;
  noted = true;
  try {
    before = Number(localStorage.getItem(name)) || undefined;
    localStorage.setItem(name, String(now));
  } catch {
    before = undefined;
  }
  return before;
}

let noted = false;
