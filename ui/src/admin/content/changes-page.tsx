import { useState, type ReactNode } from "react";
import { maxLength, object, pipe, string, trim } from "valibot";
import { useLocation } from "wouter";
import { ApiError } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { SectionHead } from "../shell/parts";
import { addressWith, useAddress, AddressLink } from "../shell/address";
import { focusNextTitle } from "../shell/admin-title";
import { useAction, useActionForm } from "../shell/use-form";
import { discard, publish, readDraft, useDraft, saveChanges, type Difference } from "./api";
import { withLabels, placeOf, differenceText, type Place } from "./places";
import { textOf, type Table } from "./field-types";
import { valueAt } from "./values";
import { SaveBar } from "./save-bar";

const longestNote = 200;
const schema = object({ note: pipe(string(), trim(), maxLength(longestNote, `Please use at most ${longestNote} characters.`)) });

/** Lists the draft's changes against the live site, and publishes or discards them. `notice` is read before publishing. */
export function ChangesPage({ notice }: { notice?: ReactNode }) {
  const { saved, set, reload } = useDraft();
  const { changes, problems, newer, content } = saved.value;
  const params = useAddress();
  const [, goTo] = useLocation();
  const { busy, act, field, submit } = useActionForm(schema, { note: "" });
  const [isDiscarding, setDiscarding] = useState(false);
  /** The newer revision that the draft is to replace. */
  const [over, setOver] = useState<number>();
  const isOutdated = newer !== null && newer.revision !== over;
  const wrong = Object.entries(problems);

  const send = submit(
    async ({ note }) => {
      try {
        await publish(note, saved.tag, over);
      } catch (error) {
        // The connection broke. The server may have published before it did: then nothing of the draft is left.
        if (error instanceof ApiError || (await readDraft()).value.changes.length > 0) throw error;
      }
      await reload();
      focusNextTitle();
      goTo(addressWith(params, { view: "versions" }));
    },
    { title: "Published", message: "Visitors see the site as it is now." }, "The server did not answer, so this may not be published. Please try again; nothing is published twice.", () => void reload(),
  );
  const discardDraft = () => act(
    async () => {
      set(await discard(saved.tag));
      setDiscarding(false);
    },
    { title: "Draft Discarded", message: "The editor shows what is live." }, "Nothing was discarded. Please try again.", () => void reload(),
  );
  return (
    <>
      <SectionHead back={{ view: null }} backTo="All parts of the website" title="Changes" />
      {newer && isOutdated && (
        <div className="failure" role="alert">
          <div>
            <p><strong>Version {newer.revision} was published after this draft was begun.</strong> Compare, then keep your draft in its place or use what is published.</p>
            <Differences changes={newer.changes} content={content} />
            <div className="card-buttons">
              <Button look="outline" onClick={() => setOver(newer.revision)}>Keep mine</Button>
              <Button look="outline" busy={busy} busyLabel="Discarding…" onClick={discardDraft}>Use what is published</Button>
            </div>
          </div>
        </div>
      )}
      {changes.length === 0 ? <p className="empty">There is nothing to publish: the draft is what visitors see.</p> : (
        <>
          <p className="measure">{changes.length === 1 ? "One change" : `${changes.length} changes`} against what visitors see now.</p>
          {wrong.length > 0 && (
            <div className="failure" role="alert">
              <div>
                <p><strong>Please fix this before publishing:</strong></p>
                <ul className="points">
                  {wrong.map(([path, sentence]) => {
                    const place = placeOf(path, content);
                    return <li key={path}>{place ? <AddressLink to={{ view: null, part: place.part, at: path }} focusTitle>{place.labels.join(" › ")}</AddressLink> : path}: {withLabels(sentence, path)}</li>;
                  })}
                </ul>
              </div>
            </div>
          )}
          <Differences changes={changes} content={content} linked />
          {notice}
          <form className="admin-part measure" aria-labelledby="publish-title" onSubmit={send} noValidate>
            <h2 id="publish-title">Publish</h2>
            <TextField label="Note" note="(optional)" hint="What this is about, for the list of versions." maxLength={longestNote} {...field("note")} />
            <div className="card-buttons">
              <Button busy={busy} busyLabel="Publishing…" inactive={wrong.length > 0 || isOutdated} type="submit">Publish</Button>
              <AddressLink to={{ view: "preview" }} focusTitle className="button button-outline">Preview</AddressLink>
              {!isDiscarding && <Button look="outline" onClick={() => setDiscarding(true)}>Discard…</Button>}
            </div>
            {isDiscarding && (
              <>
                <p role="status">Discard {changes.length === 1 ? "this change" : `these ${changes.length} changes`}? They cannot be brought back.</p>
                <div className="card-buttons">
                  <Button look="outline" busy={busy} busyLabel="Discarding…" onClick={discardDraft}>Discard the draft</Button>
                  <Button look="outline" onClick={() => setDiscarding(false)}>Keep it</Button>
                </div>
              </>
            )}
          </form>
        </>
      )}
    </>
  );
}

/** What differs between two versions, in words. */
export function Differences({ changes, content, linked = false }: { changes: readonly Difference[]; content: Table; linked?: boolean }) {
  return (
    <ul className="site-changes">
      {changes.map((change) => {
        const place = placeOf(change.path, content);
        const { done, before, after } = differenceText(change, place?.field);
        return (
          <li key={`${change.kind} ${change.path}`}>
            <PlaceLine path={change.path} place={place} linked={linked && change.kind !== "removed"} />
            <p className="site-change-done">{done}</p>
            {(before !== undefined || after !== undefined) && (
              <p className="site-change-values">
                {before !== undefined && <del><span className="hidden-text">Before: </span>{before}</del>}
                {after !== undefined && <ins><span className="hidden-text">After: </span>{after}</ins>}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Where a value is edited, below the title of the page. */
export function PlaceLine({ path, place, linked }: { path: string; place: Place | undefined; linked: boolean }) {
  return (
    <p className="site-change-place">
      <span className="eyebrow">{place?.labels[0] ?? "Other"}</span>
      {linked && place ? <AddressLink to={{ view: null, part: place.part, at: path }} focusTitle>{labelOf(path, place)}</AddressLink> : <span>{labelOf(path, place)}</span>}
    </p>
  );
}

const labelOf = (path: string, place: Place | undefined) => place?.labels.slice(1).join(" › ") || path;

/** The texts of a former edition that name a date, to be confirmed or changed. */
export function UnconfirmedPage() {
  const { saved, set, reload } = useDraft();
  const { content, unconfirmed } = saved.value;
  const { act } = useAction();
  const confirm = (path: string) => act(
    async () => set(await saveChanges([{ path, value: valueAt(content, path) ?? "" }], saved.tag)),
    { title: "Confirmed", message: "The text stays as it is." }, "The text could not be confirmed. Please try again.", () => void reload(),
  );
  return (
    <>
      <SectionHead back={{ view: null }} backTo="All parts of the website" title="To be confirmed" />
      {unconfirmed.length === 0 ? <p className="empty">Every text is confirmed.</p> : (
        <>
          <p className="measure">These texts are from the former edition and name a date. Its days were replaced where that was possible. Read each one; open it to change it.</p>
          <ul className="site-changes">
            {unconfirmed.map((path) => {
              const place = placeOf(path, content);
              return (
                <li key={path}>
                  <PlaceLine path={path} place={place} linked />
                  <p className="site-change-values">{textOf(valueAt(content, path))}</p>
                  <p><Button look="text" onClick={() => confirm(path)}>It is right<span className="hidden-text">: {labelOf(path, place)}</span></Button></p>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <SaveBar page="home" />
    </>
  );
}
