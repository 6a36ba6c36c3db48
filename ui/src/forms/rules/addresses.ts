import { hasWhiteSpace, normalisedContact } from "./text";

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
