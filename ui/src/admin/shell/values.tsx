import type { ReactNode } from "react";
import { versionDate } from "../../lib/dates";
import { OutsideLink } from "../../kit/site-link";
import { dollars } from "../../lib/money";
import type { FieldLabels, Registration } from "./kinds";

/** A value as text, for a table's cell; undefined when nothing was answered. */
export function textOf(field: FieldLabels, value: unknown): string | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const label = (item: unknown) => field.options?.find((option) => option.value === item)?.label ?? String(item);
  if (Array.isArray(value)) return value.map(label).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return label(value);
}

const nominations = [["primaryCategory", "subCategory"], ["additionalCategory1", "additionalCategory1Sub"], ["additionalCategory2", "additionalCategory2Sub"]] as const;

/** All categories of an entry: "Lash Extensions - Volume", "Brows - Creative". */
export function categoriesOf(record: Registration, names: Record<string, string>): string[] {
  return nominations.flatMap(([category, subcategory]) => {
    const slug = record[category];
    if (typeof slug !== "string" || slug === "") return [];
    const [name, part] = [names[slug] ?? slug, record[subcategory]];
    // "Lash Lift" and not "Lash Lift - Standard Lash Lift".
    return [typeof part !== "string" || part === "" || part.includes(name) ? name : `${name} - ${part}`];
  });
}

/** A value as a reader can use it: an address that can be written to, a number that can be called. */
export function valueOf(field: FieldLabels, record: Registration): ReactNode {
  const text = textOf(field, record[field.name]);
  if (text === undefined) return <span className="soft">&ndash;</span>;
  switch (field.type) {
    case "email":
      return <a href={`mailto:${text}`}>{text}</a>;
    case "phone":
      return <a href={`tel:${record.phoneNormalised ?? text.replace(/[^+\d]/g, "")}`}>{text}</a>;
    case "url":
      return /^https?:\/\//i.test(text) ? <OutsideLink href={text}>{text}</OutsideLink> : text;
    case "longText":
      return <span className="long-text">{text}</span>;
    case "consent": {
      const version = agreedVersion(record, field.name);
      return version ? `${text} (version of ${versionDate(version)})` : text;
    }
    default:
      return text;
  }
}

export function amount(value: unknown): string | undefined {
  return typeof value === "number" ? dollars(value) : undefined;
}

/** Cents of a currency: "$5.00", "EUR 5.00". */
export function moneyIn(cents: number, currency: string): string {
  return currency.toLowerCase() === "usd" ? dollars(cents) : `${currency.toUpperCase()} ${(cents / 100).toFixed(2)}`;
}

/** Which version of a text was agreed to. */
function agreedVersion({ agreedTo }: Registration, field: string): string | undefined {
  return typeof agreedTo === "object" && agreedTo !== null ? (agreedTo as Record<string, string>)[field] : undefined;
}

/** An address that is too long for its line breaks before its domain. */
export function EmailLine({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  return <span className="row-email">{email.slice(0, at)}<wbr />{email.slice(at)}</span>;
}
