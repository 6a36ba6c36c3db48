import { dayName, plusDays } from "../shell/event-time";
import { formatBytes } from "../shell/numbers";

/** The answer of `GET /api/storage`. */
export interface StorageUse {
  bytes: number;
  /** Part of `bytes`: free to be used again. */
  freeBytes: number;
  /** A week ago, or the first day since that is known. */
  earlier: { day: string; bytes: number } | null;
  /** The largest first. */
  parts: { name: "registrations" | "mails" | "audit" | "pictures" | "photos"; bytes: number }[];
}

const names: Record<StorageUse["parts"][number]["name"], string> = {
  registrations: "registrations",
  mails: "emails",
  audit: "the audit log",
  pictures: "pictures",
  photos: "competitors' photos",
};

/** Less than this is not mentioned, in bytes. */
const little = 50_000;

/** "The database is 12.4 MB, 0.8 MB more than a week ago. Emails take 6.1 MB, registrations 4.2 MB." */
export function storageSentences({ bytes, freeBytes, earlier, parts }: StorageUse, today: string): string {
  const large = parts.filter((part) => part.bytes >= little).map((part) => [names[part.name], formatBytes(part.bytes)] as const);
  const [first, ...others] = large;
  const sentences = [`The database is ${formatBytes(bytes)}${earlier ? `, ${growth(bytes - earlier.bytes)} ${since(earlier.day, today)}` : ""}.`];
  if (first) {
    const takes = first[0].startsWith("the ") ? "takes" : "take";
    sentences.push(`${capital(first[0])} ${takes} ${[first[1], ...others.map((part) => part.join(" "))].join(", ")}.`);
  }
  if (freeBytes >= bytes / 10 && freeBytes >= little) sentences.push(`${formatBytes(freeBytes)} of it is free to be used again.`);
  return sentences.join(" ");
}

function growth(more: number): string {
  if (Math.abs(more) < little) return "about the same as";
  return `${formatBytes(Math.abs(more))} ${more > 0 ? "more" : "less"} than`;
}

function since(day: string, today: string): string {
  if (day === plusDays(today, -7)) return "a week ago";
  return day === plusDays(today, -1) ? "yesterday" : `on ${dayName(day)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
