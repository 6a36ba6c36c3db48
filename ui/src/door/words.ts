import type { OwnScan } from "./decide";
import type { AdmissionList, Role, Verdict } from "../lib/answer-types";

export const roleNames: Record<Role, string> = {
  competitor: "Competitor", speaker: "Speaker", judge: "Judge", demonstrator: "Demonstrator", sponsor: "Sponsor", guest: "Guest",
};

/** The word in the whole screen. */
export const resultNames: Record<Verdict, string> = {
  welcome: "Welcome", walk_in: "Welcome", already: "Already in", void: "Ticket is void", wrong_list: "Not for this list", unknown: "Not on this list yet",
};

/** Its colour: come in, look, or ask. */
export function toneOf({ result, anyway }: Pick<OwnScan, "result" | "anyway">): "in" | "twice" | "out" {
  if (anyway) return "in";
  return result === "welcome" || result === "walk_in" ? "in" : result === "already" ? "twice" : "out";
}

export function listNames(lists: readonly AdmissionList[], keys: readonly string[]): string {
  const names = lists.filter(({ key }) => keys.includes(key)).map(({ label }) => label);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function scansWait(waiting: number): string {
  return waiting === 1 ? "1 scan waits" : `${waiting} scans wait`;
}

/** What can be in a code: Crockford's base 32. */
const pattern = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/**
 * The code that somebody typed or scanned, as the server reads it (src/model/ticket_code.rs): in any case, with spaces or hyphens,
 * `O` for 0, `I` or `L` for 1, or as the end of a ticket's address.
 */
export function parseCode(text: string): string | undefined {
  const end = text.slice(text.lastIndexOf("/t/") + 1).replace(/^\/?t\//, "").trim();
  if (end.length > 20) return undefined;
  const code = end.replace(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return pattern.test(code) ? code : undefined;
}

/** "7KX3M9QW0T" as it is printed: "7KX3M 9QW0T". */
export function printedCode(code: string): string {
  return `${code.slice(0, 5)} ${code.slice(5)}`;
}
