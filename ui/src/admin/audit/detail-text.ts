import { dollars } from "../../lib/money";

/** What else a line of the audit log knows, as text: "amount $99.00, refund 3". */
export function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail).filter(([, value]) => value !== null && value !== "").map(([name, value]) => partOf(name, value)).join(", ");
}

function partOf(name: string, value: unknown): string {
  if (name.endsWith("Cents") && typeof value === "number") return `${spaced(name.slice(0, -"Cents".length))} ${dollars(value)}`;
  if (value === true) return spaced(name);
  if (value === false) return `no ${spaced(name)}`;
  return `${spaced(name)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
}

/** "paidAmount" as "paid amount". */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
