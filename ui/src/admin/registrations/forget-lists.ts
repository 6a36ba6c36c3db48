import { mutate } from "swr";
import type { Kind } from "../../lib/page";
import { attentionKey } from "../overview/attention";
import { recentKey } from "../overview/recent";
import { summaryKey } from "../shell/summary";

/** After a decision: lists are read again when they are next looked at, the counts in the menu at once. */
export async function forgetLists(kind: Kind): Promise<void> {
  const isList = (key: unknown) => Array.isArray(key) && key.join("/").startsWith(`/api/${kind}?`);
  await mutate(isList, undefined, { revalidate: false });
  await mutate(recentKey, undefined, { revalidate: false });
  await Promise.all([mutate(summaryKey), mutate(attentionKey)]);
}
