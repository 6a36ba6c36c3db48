import type { EntryData } from "../../entry/entry-data.server";
import { LazyEntry } from "../../entry/lazy-entry";

export { ready } from "../../entry/lazy-entry";

export function View({ data }: { data: EntryData }) {
  return <LazyEntry data={data} />;
}
