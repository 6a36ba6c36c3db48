import { mutate } from "swr";
import type { Kind } from "../api/page";
import { attentionKey } from "./needs-a-look";
import { recentKey } from "./recent";
import { summaryKey } from "./summary";

/** After a decision: lists are read again when they are next looked at, the counts in the menu at once. */
export async function forgetLists(kind: Kind): Promise<void> {
  const isList = (key: unknown) => Array.isArray(key) && key.join("/").startsWith(`/api/${kind}?`);
  await mutate(isList, undefined, { revalidate: false });
  await mutate(recentKey, undefined, { revalidate: false });
  await Promise.all([mutate(summaryKey), mutate(attentionKey)]);
}
