import { useState } from "react";
import { Disclosure } from "../../kit/disclosure";
import { TextField } from "../../kit/field";
import { shortDay } from "../../lib/dates";
import { useDraft, type Difference } from "./api";
import { PlaceLine } from "./changes-page";
import { isTable, type Table, type Value } from "./field-types";
import { placeOf, type Place } from "./places";
import { join } from "./values";

/** So many are listed at most. */
const most = 60;

/** Finds texts of the site wherever they stand, such as those that name a day that has moved. */
export function TextSearch() {
  const { content } = useDraft().saved.value;
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = wanted.length < 2 ? [] : textsWith(content, (value) => value.toLowerCase().includes(wanted));
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()}>
      <div className="measure"><TextField label="Find a text" type="search" hint="Such as a day or a name that has changed" value={text} onChange={({ target }) => setText(target.value)} /></div>
      {wanted.length >= 2 && <p role="status" className="soft">{found.length === 0 ? "No text has this." : found.length === 1 ? "1 text" : `${found.length} texts${found.length > most ? `, the first ${most} of them` : ""}`}</p>}
      <FoundTexts texts={found.slice(0, most)} />
    </form>
  );
}

/** Lists the texts that still name a day which the draft has changed. Nothing if there are none. */
export function OldDates() {
  const { content, changes } = useDraft().saved.value;
  const found = textsWith(content, namesOneOf(oldDays(changes)));
  if (found.length === 0) return null;
  return (
    <Disclosure summary={found.length === 1 ? "One text still names an old date" : `${found.length} texts still name an old date`}>
      <FoundTexts texts={found} />
    </Disclosure>
  );
}

interface FoundText {
  path: string;
  value: string;
  place: Place;
}

function FoundTexts({ texts }: { texts: FoundText[] }) {
  return (
    <ul className="site-changes">
      {texts.map(({ path, value, place }) => (
        <li key={path}>
          <PlaceLine path={path} place={place} linked />
          <p className="site-change-values">{value}</p>
        </li>
      ))}
    </ul>
  );
}

function textsWith(content: Table, isWanted: (value: string) => boolean): FoundText[] {
  return textsOf(content).filter(({ value }) => isWanted(value)).flatMap(({ path, value }) => {
    const place = placeOf(path, content);
    return place?.field && place.field.type !== "picture" ? [{ path, value, place }] : [];
  });
}

/** The days that were changed or removed, such as "2026-03-28", except those that are the new day of something. */
export function oldDays(changes: readonly Difference[]): string[] {
  const daysOf = (values: Value[]) => values.flatMap((value) => textsOf({ value })).flatMap(({ value }) => /^\d{4}-\d{2}-\d{2}/.exec(value) ?? []);
  const after = new Set(daysOf(changes.flatMap((change) => (change.kind === "changed" || change.kind === "added" ? [change.value] : []))));
  const before = daysOf(changes.flatMap((change) => ("before" in change ? [change.before] : [])));
  return [...new Set(before)].filter((day) => !after.has(day));
}

/** Whether a text has one of these days: "2026-03-28" or "March 28". */
export function namesOneOf(days: string[]): (text: string) => boolean {
  if (days.length === 0) return () => false;
  const pattern = new RegExp(days.map((day) => `${day}|\\b${shortDay(day)}(?!\\d)`).join("|"));
  return (text) => pattern.test(text);
}

/** All texts of the content, each with its path. */
export function textsOf(content: Table): { path: string; value: string }[] {
  const walk = (value: Value | undefined, path: string): { path: string; value: string }[] => {
    if (typeof value === "string") return [{ path, value }];
    if (Array.isArray(value)) return value.flatMap((member, index) => walk(member, join(path, index)));
    return isTable(value) ? Object.entries(value).flatMap(([key, member]) => walk(member, join(path, key))) : [];
  };
  return walk(content, "");
}
