import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { useAdmin } from "../shell/admin-context";
import { Disputes } from "./disputes";
import { FieldViews } from "./field-view";
import type { Part, Section } from "./fields/field";
import { Fold } from "./fold";
import { join, valueAt } from "./paths";
import { SaveBar } from "./save-bar";
import { useSaved } from "./use-draft";

/** One page of the editor, with the fields of one part of the content. */
export function PartPage({ part }: { part: Part }) {
  const content = useSaved()?.value.content ?? {};
  const { timeZoneLabel } = useAdmin();
  // Content from an older version may lack this table.
  const sections = part.sections.filter(({ path }) => path === "" || valueAt(content, path) !== undefined);
  const hasTimes = JSON.stringify(part.sections).match(/"type":"(time|moment)"/) !== null;
  return (
    <>
      <p className="way-back"><AddressLink to={{ part: null, at: null }} arrives>All parts of the website</AddressLink></p>
      <header className="admin-head"><AdminTitle>{part.title}</AdminTitle></header>
      <p className="measure">{part.about}{hasTimes && ` Times are in event time (${timeZoneLabel}).`}</p>
      <Disputes />
      <div className="site-part">
        {sections.map((section) => sections.length > 3
          ? <Fold key={keyOf(section)} title={section.title} heading="h2" paths={pathsOf(section)} mark={hasSample(content, section) && "Sample"}><SectionFields section={section} /></Fold>
          : <section key={keyOf(section)} className="site-section" aria-label={section.title}><h2>{section.title}</h2><SectionFields section={section} /></section>)}
      </div>
      <SaveBar page={part.page} />
    </>
  );
}

function SectionFields({ section: { path, note, fields } }: { section: Section }) {
  return (
    <>
      {note && <p className="soft">{note}</p>}
      <FieldViews fields={fields} path={path} />
    </>
  );
}

const keyOf = ({ title, path }: Section) => `${path} ${title}`;

export function pathsOf({ path, fields }: Section): string[] {
  return fields.map(({ name }) => join(path, name));
}

function hasSample(content: Parameters<typeof valueAt>[0], { path, fields }: Section): boolean {
  return fields.some(({ name }) => name === "sample") && valueAt(content, join(path, "sample")) === true;
}
