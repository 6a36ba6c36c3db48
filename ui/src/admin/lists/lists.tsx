import { useRef, useState } from "react";
import { Button } from "../../kit/button";
import { Select } from "../../kit/select";
import { AdminTitle } from "../shell/admin-title";
import { sections } from "../shell/sections";
import { useAction } from "../shell/use-form";
import { downloadList, type ListFormat } from "./api";

const names = [
  { value: "door", label: "Door list" },
  { value: "names", label: "Names" },
  { value: "categories", label: "Entries by category" },
  { value: "front-row", label: "Front row" },
  { value: "attendance", label: "Who came" },
];

const days = [{ value: "", label: "Both days" }, { value: "1", label: "Day 1" }, { value: "2", label: "Day 2" }];

/** The lists for the days of the event, to view, print or download as CSV. */
export function ListsSection() {
  const [name, setName] = useState("door");
  const [day, setDay] = useState("1");
  const { busy, act } = useAction();
  const frame = useRef<HTMLIFrameElement>(null);
  const query = day && `?day=${day}`;
  const page = `/api/lists/${name}/html${query}`;
  const title = names.find(({ value }) => value === name)?.label ?? "";
  const save = (format: ListFormat, named: string) => act(
    () => downloadList(name, format, query),
    { title: "Downloaded", message: `${title} as ${named}.` },
    "The list could not be downloaded. Please try again.",
  );
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections.lists}</AdminTitle></header>
      <p className="measure">Everybody with a paid or complimentary entry, and everybody whose application was accepted. &ldquo;Who came&rdquo; has every ticket with the time at the door. Lists have no addresses and no phone numbers.</p>
      <div className="export-selection">
        <Select label="List" options={names} value={name} onChange={(event) => setName(event.target.value)} />
        <Select label="Day" options={days} value={day} onChange={(event) => setDay(event.target.value)} />
      </div>
      <div className="card-buttons">
        <Button onClick={() => frame.current?.contentWindow?.print()}>Print</Button>
        <Button look="outline" busy={busy} onClick={() => save("csv", "CSV")}>Download CSV</Button>
        <Button look="outline" busy={busy} onClick={() => save("xlsx", "Excel")}>Download Excel</Button>
        <a className="text-button" href={page} target="_blank" rel="noopener">Open in its own tab</a>
      </div>
      <iframe ref={frame} key={page} className="mail-frame list-frame" title={title} src={page} />
    </>
  );
}
