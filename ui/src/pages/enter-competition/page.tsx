import type { Head, PageInput } from "../../lib/page";
import { entryData, type EntryData } from "../../entry/entry-data";
import { LazyEntry } from "../../entry/lazy-entry";

export { ready } from "../../entry/lazy-entry";

export function data(input: PageInput): EntryData {
  return entryData(input);
}

export function head({ name, text, description }: EntryData): Head {
  return { title: `${text.title} - ${name}`, description };
}

export function View({ data }: { data: EntryData }) {
  return <LazyEntry data={data} />;
}
