/** What can be in a code: Crockford's base 32. */
const pattern = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/**
 * The code that somebody typed or scanned, as the server reads it (src/door/codes.rs): in any case, with spaces or hyphens,
 * `O` for 0, `I` or `L` for 1, or as the end of a ticket's address.
 */
export function parseCode(text: string): string | undefined {
  const end = text.slice(text.lastIndexOf("/t/") + 1).replace(/^\/?t\//, "").trim();
  if (end.length > 23) return undefined;
  const code = end.replace(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return pattern.test(code) ? code : undefined;
}

/** "7KX3M9QW0T" as it is printed: "7KX3M 9QW0T". */
export function printedCode(code: string): string {
  return `${code.slice(0, 5)} ${code.slice(5)}`;
}
