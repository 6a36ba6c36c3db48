import { useState } from "react";
import { maxLength, object, pipe, string, trim } from "valibot";
import { useLocation } from "wouter";
import { ApiError } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { addressWith, useAddress } from "../shell/address";
import { AddressLink } from "../shell/address-link";
import { AdminTitle, focusNextTitle } from "../shell/admin-title";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { discard, publish, readDraft } from "./api";
import { Differences } from "./differences";
import { useDraft } from "./draft-context";
import { withLabels, placeOf } from "./places";

const longestNote = 200;
const schema = object({ note: pipe(string(), trim(), maxLength(longestNote, `Please use at most ${longestNote} characters.`)) });

/** Lists the draft's changes against the live site, and publishes or discards them. */
export function ChangesPage() {
  const { saved, set, reload } = useDraft();
  const { changes, problems, newer, content } = saved.value;
  const params = useAddress();
  const [, goTo] = useLocation();
  const { busy, act } = useAction();
  const form = useValidForm(schema, { note: "" });
  const [isDiscarding, setDiscarding] = useState(false);
  /** The newer revision that the draft is to replace. */
  const [over, setOver] = useState<number>();
  const isOutdated = newer !== null && newer.revision !== over;
  const wrong = Object.entries(problems);

  const failed = (error: unknown) => {
    showAtFields(form, error);
    void reload();
  };
  const send = form.handleSubmit(({ note }) => act(
    async () => {
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
    { title: "Published", message: "Visitors see the site as it is now." }, "The server did not answer, so this may not be published. Please try again; nothing is published twice.", failed,
  ));
  const discardDraft = () => act(
    async () => {
      set(await discard(saved.tag));
      setDiscarding(false);
    },
    { title: "Draft Discarded", message: "The editor shows what is live." }, "Nothing was discarded. Please try again.", failed,
  );
  return (
    <>
      <p className="way-back"><AddressLink to={{ view: null }} arrives>All parts of the website</AddressLink></p>
      <header className="admin-head"><AdminTitle>Changes</AdminTitle></header>
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
                    return <li key={path}>{place ? <AddressLink to={{ view: null, part: place.part, at: path }} arrives>{place.labels.join(" › ")}</AddressLink> : path}: {withLabels(sentence, path)}</li>;
                  })}
                </ul>
              </div>
            </div>
          )}
          <Differences changes={changes} content={content} linked />
          <form className="admin-part measure" aria-labelledby="publish-title" onSubmit={send} noValidate>
            <h2 id="publish-title">Publish</h2>
            <TextField label="Note" note="(optional)" hint="What this is about, for the list of versions." maxLength={longestNote} error={form.formState.errors.note?.message} {...form.register("note")} />
            <div className="card-buttons">
              <Button busy={busy} busyLabel="Publishing…" inactive={wrong.length > 0 || isOutdated} type="submit">Publish</Button>
              <AddressLink to={{ view: "preview" }} arrives className="button button-outline">Preview</AddressLink>
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
