import { Button } from "../../kit/button";
import { useAdmin } from "../shell/admin-context";
import { ChangedElsewhere, SectionHead } from "../shell/parts";
import { FieldViews } from "./field-view";
import type { Part, Section, Table } from "./field-types";
import { Fold } from "./rows";
import { PageContext, pathsOf, usePageForm, type PageForm } from "./page-form";
import { changesOf, isSame, join, valueAt } from "./values";
import { placeOf, valueText } from "./places";
import { PageSaveBar } from "./save-bar";

/** One page of the editor: a form with the fields of one part of the content. */
export function PartPage({ part, openedFor }: { part: Part; openedFor: string | null }) {
  const page = usePageForm(part, openedFor);
  const { content } = page.base.value;
  const { timeZoneLabel } = useAdmin();
  // Content from an older version may lack this table.
  const sections = part.sections.filter(({ path }) => path === "" || valueAt(content, path) !== undefined);
  const hasTimes = /"type":"(time|moment)"/.test(JSON.stringify(part.sections));
  return (
    <PageContext value={page}>
      <SectionHead back={{ part: null, at: null }} backTo="All parts of the website" title={part.title} />
      <p className="measure">{part.about}{hasTimes && ` Times are in event time (${timeZoneLabel}).`}</p>
      <form onSubmit={page.save} noValidate>
        {page.stored && <BothVersions page={page} stored={page.stored.value.content} />}
        <div className="site-part">
          {sections.map((section) => sections.length > 3
            ? <Fold key={keyOf(section)} title={section.title} heading="h2" paths={pathsOf({ sections: [section] })} mark={hasSample(content, section) && "Sample"}><SectionFields section={section} /></Fold>
            : <section key={keyOf(section)} className="site-section" aria-label={section.title}><h2>{section.title}</h2><SectionFields section={section} /></section>)}
        </div>
        <PageSaveBar page={part.page} />
      </form>
    </PageContext>
  );
}

/** What somebody else has saved and what was typed here, where both differ, and the choice between them. */
function BothVersions({ page: { paths, base, getValues, save, useStored, busy }, stored }: { page: PageForm; stored: Table }) {
  const mine = changesOf(paths, base.value.content, getValues()).filter(({ path, value }) => !isSame(value, valueAt(stored, path)));
  const differences = mine.map(({ path, value }) => {
    const place = placeOf(path, stored);
    return { label: place?.labels.slice(1).join(", ") ?? path, stored: valueText(valueAt(stored, path), place?.field), yours: valueText(value, place?.field) };
  });
  return (
    <>
      <ChangedElsewhere what="page" differences={differences} />
      <div className="card-buttons">
        <Button busy={busy} busyLabel="Saving…" onClick={() => save()}>Save mine</Button>
        <Button look="outline" onClick={useStored}>Use what is stored</Button>
      </div>
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

function hasSample(content: Table, { path, fields }: Section): boolean {
  return fields.some(({ name }) => name === "sample") && valueAt(content, join(path, "sample")) === true;
}
