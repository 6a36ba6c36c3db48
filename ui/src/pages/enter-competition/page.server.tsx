import type { EntryData } from "../../entry/entry-data.server";
import { Entry } from "../../entry/entry";
import { Island } from "../../kit/island";

export { entryData as data, entryHead as head } from "../../entry/entry-data.server";

export function View({ data }: { data: EntryData }) {
  return <Island name="entry" of={Entry} props={{ data }} />;
}
