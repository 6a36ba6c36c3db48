import { dollars } from "../../lib/money";

/** What else a line of the audit log knows, in words: "amount $99.00, refund 3". */
export function detailWords(detail: Record<string, unknown>): string {
  return Object.entries(detail).filter(([, value]) => value !== null && value !== "").map(([name, value]) => partOf(name, value)).join(", ");
}

function partOf(name: string, value: unknown): string {
  if (name.endsWith("Cents") && typeof value === "number") return `${worded(name.slice(0, -"Cents".length))} ${dollars(value)}`;
  if (value === true) return worded(name);
  if (value === false) return `no ${worded(name)}`;
  return `${worded(name)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
}

/** "paidAmount" as "paid amount". */
function worded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
