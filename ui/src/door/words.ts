import type { List, Result, Role } from "./api";
import type { OwnScan } from "./decide";

export const roleNames: Record<Role, string> = {
  competitor: "Competitor", speaker: "Speaker", judge: "Judge", demonstrator: "Demonstrator", sponsor: "Sponsor", guest: "Guest",
};

/** The word in the whole screen. */
export const resultNames: Record<Result, string> = {
  welcome: "Welcome", walk_in: "Welcome", already: "Already in", void: "Ticket is void", wrong_list: "Not for this list", unknown: "Not on this list yet",
};

/** Its colour: come in, look, or ask. */
export function toneOf({ result, anyway }: Pick<OwnScan, "result" | "anyway">): "in" | "twice" | "out" {
  if (anyway) return "in";
  return result === "welcome" || result === "walk_in" ? "in" : result === "already" ? "twice" : "out";
}

export function listNames(lists: readonly List[], keys: readonly string[]): string {
  const names = lists.filter(({ key }) => keys.includes(key)).map(({ label }) => label);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function scansWait(waiting: number): string {
  return waiting === 1 ? "1 scan waits" : `${waiting} scans wait`;
}
