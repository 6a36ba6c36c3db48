import { directionRanges, hiddenRanges, invisibleRanges } from "./form-rules";

// `trim()` and `\s` disagree with Unicode's White_Space in two places (U+FEFF is none, U+0085 is one),
// and the server trims by Unicode.
const whiteSpace = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const white = whiteSpace.slice(1, -1);
const anyWhiteSpace = new RegExp(whiteSpace);

const codePoint = (hexadecimal: string) => `\\u{${hexadecimal}}`;
const classOf = (ranges: string[]) => ranges.map((range) => range.split("-").map(codePoint).join("-")).join("");
const outside = `[${white}${classOf(invisibleRanges)}]+`;
const allOutside = new RegExp(`^${outside}|${outside}$`, "gu");
const invisibleMarks = new RegExp(`[${classOf(invisibleRanges)}]`, "gu");
const directionMarks = new RegExp(`[${classOf(directionRanges)}]`, "gu");

function hasWhiteSpace(text: string): boolean {
  return anyWhiteSpace.test(text);
}

/** The text as it is stored: composed (NFC), without direction marks, and without white space and invisible marks around it. */
export function normalised(text: string): string {
  return text.replace(directionMarks, "").normalize("NFC").replace(allOutside, "");
}

/** The same for an address, a phone number or a handle, which has no invisible marks at all. */
export function normalisedContact(text: string): string {
  return normalised(text.replace(invisibleMarks, ""));
}

/** The same for a text of several lines, whose line ends are LF. */
export function normalisedLines(text: string): string {
  return normalised(text.replace(/\r\n/g, "\n"));
}

/** Length in Unicode code points, not in the UTF-16 units that `length` counts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function hasControlCharacters(text: string, breaksLines: boolean): boolean {
  return (breaksLines ? /[^\P{Cc}\n\r\t]/u : /\p{Cc}/u).test(text);
}

const hidden = classOf(hiddenRanges);
const joiner = "\\u200c\\u200d";
const selector = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
const hiddenCharacters = new RegExp(
  `[${hidden}]|(?:^|[\\0-\\u05ff\\u1e00-\\u1fff${white}${joiner}])[${joiner}]|(?:^|[A-Za-z${white}${joiner}${selector}])[${selector}]`,
  "u",
);

/**
 * Characters that nobody sees and that make a text look like another one. Joiners are taken where Persian and Indic
 * spelling and emoji have them, variation selectors after what can vary (`src/forms/hidden.rs` has the same rule).
 */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacters.test(text);
}

const atom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
const label = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;

/** An address that every mail server takes: ASCII, a dotted local part, a domain of two labels or more. */
export function isEmail(text: string): boolean {
  const parts = text.split("@");
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined) return false;
  const labels = domain.split(".");
  const last = labels.at(-1) ?? "";
  return (
    local.length <= 64 &&
    local.split(".").every((part) => atom.test(part)) &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    last.length >= 2 &&
    !/^\d+$/.test(last)
  );
}

/** An absolute http(s) address with a host, and without a user name or password, which people take for the host. */
export function isUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || hasWhiteSpace(text)) return false;
  try {
    const { host, username, password } = new URL(text);
    return host !== "" && username === "" && password === "";
  } catch {
    return false;
  }
}

const hostWithoutScheme = /^[^\s/@:.]+(\.[^\s/@:.]+)+(:\d+)?([/?#]\S*)?$/u;

/** Completes `example.com` to `https://example.com`, and leaves everything else as it was typed. */
export function completedUrl(text: string): string {
  const address = normalisedContact(text).replace(/^\/\//, "");
  return hostWithoutScheme.test(address) ? `https://${address}` : text;
}
