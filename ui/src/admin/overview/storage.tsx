import { Loaded } from "../../kit/loaded";
import { FoldedPart } from "../shell/folded-part";
import { formatBytes } from "../shell/numbers";
import { useStorage } from "./api";

/** The size of the database, and what takes the space. */
export function Storage() {
  return (
    <FoldedPart title="Storage" className="admin-part">
      <Loaded of={useStorage()} loading="Loading the size…" failed="The size of the database could not be loaded." keepsData>
        {(storage) => <p className="figures">{storageSentences(storage)}</p>}
      </Loaded>
    </FoldedPart>
  );
}

/** The answer of `GET /api/storage`. */
export interface StorageUse {
  bytes: number;
  /** Part of `bytes`: free to be used again. */
  freeBytes: number;
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

/** "The database is 12.4 MB. Emails take 6.1 MB, registrations 4.2 MB." */
export function storageSentences({ bytes, freeBytes, parts }: StorageUse): string {
  const large = parts.filter((part) => part.bytes >= little).map((part) => [names[part.name], formatBytes(part.bytes)] as const);
  const [first, ...others] = large;
  const sentences = [`The database is ${formatBytes(bytes)}.`];
  if (first) {
    const takes = first[0].startsWith("the ") ? "takes" : "take";
    sentences.push(`${capital(first[0])} ${takes} ${[first[1], ...others.map((part) => part.join(" "))].join(", ")}.`);
  }
  if (freeBytes >= bytes / 10 && freeBytes >= little) sentences.push(`${formatBytes(freeBytes)} of it is free to be used again.`);
  return sentences.join(" ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
