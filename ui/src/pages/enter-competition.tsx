import type { Head, PageInput } from "../api/page";
import { entryData, type EntryData } from "./enter-competition/entry-data";
import { LazyEntry } from "./enter-competition/lazy-entry";

export { ready } from "./enter-competition/lazy-entry";

export function data(input: PageInput): EntryData {
  return entryData(input);
}

export function head({ name, text, description }: EntryData): Head {
  return { title: `${text.title} - ${name}`, description };
}

export function View({ data }: { data: EntryData }) {
  return <LazyEntry data={data} />;
}
