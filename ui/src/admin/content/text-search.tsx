import { useState } from "react";
import { TextField } from "../../kit/field";
import { useDraft } from "./api";
import { PlaceLine } from "./changes-page";
import { isTable, type Table, type Value } from "./field-types";
import { placeOf } from "./places";
import { join } from "./values";

/** So many are listed at most. */
const most = 60;

/** Finds texts of the site wherever they stand, such as those that name a day that has moved. */
export function TextSearch() {
  const { content } = useDraft().saved.value;
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = wanted.length < 2 ? [] : textsOf(content).filter(({ value }) => value.toLowerCase().includes(wanted)).flatMap(({ path, value }) => {
    const place = placeOf(path, content);
    return place?.field && place.field.type !== "picture" ? [{ path, value, place }] : [];
  });
  return (
    <form role="search" onSubmit={(event) => event.preventDefault()}>
      <div className="measure"><TextField label="Find a text" type="search" hint="Such as a day or a name that has changed" value={text} onChange={({ target }) => setText(target.value)} /></div>
      {wanted.length >= 2 && <p role="status" className="soft">{found.length === 0 ? "No text has this." : found.length === 1 ? "1 text" : `${found.length} texts${found.length > most ? `, the first ${most} of them` : ""}`}</p>}
      <ul className="site-changes">
        {found.slice(0, most).map(({ path, value, place }) => (
          <li key={path}>
            <PlaceLine path={path} place={place} linked />
            <p className="site-change-values">{value}</p>
          </li>
        ))}
      </ul>
    </form>
  );
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
