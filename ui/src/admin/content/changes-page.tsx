import { useState } from "react";
import { maxLength, object, pipe, string, trim } from "valibot";
import { useLocation } from "wouter";
import { ApiError } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { TextField } from "../../kit/field";
import { addressWith, useAddress } from "../shell/address";
import { toast } from "../../kit/toast-store";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { arriveAtNextTitle } from "../shell/arrival";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import { isStale } from "../shell/versioned";
import { discard, isPublishedSince, publish, readDraft } from "./api";
import { Differences } from "./differences";
import { Disputes } from "./disputes";
import { draftStore, useContent, useErrors, useSaved, useStatus } from "./use-draft";
import { withLabels, placeOf } from "./words";

const longestNote = 200;
const schema = object({ note: pipe(string(), trim(), maxLength(longestNote, `Please use at most ${longestNote} characters.`)) });

/** Lists the draft's changes against the live site, and publishes or discards them. */
export function ChangesPage() {
  const saved = useSaved();
  const content = useContent();
  const errors = useErrors();
  const status = useStatus();
  const params = useAddress();
  const [, goTo] = useLocation();
  const { busy, act } = useAction();
  const form = useValidForm(schema, { note: "" });
  const [isDiscarding, setDiscarding] = useState(false);
  if (!saved) return null;
  const { changes, problems, conflicts } = saved.value;
  const wrong = Object.entries({ ...problems, ...errors });
  const isReady = wrong.length === 0 && conflicts.length === 0 && status !== "disputed" && status !== "offline";

  const isAllSaved = async () => {
    const isSaved = await draftStore.flush();
    if (!isSaved) toast({ title: "Error", message: "Not everything is saved yet, so nothing was published.", tone: "destructive" });
    return isSaved;
  };
  const reload = async () => draftStore.load(await readDraft());
  const failed = (error: unknown) => {
    showAtFields(form, error);
    if (isStale(error)) void reload();
  };
  const send = form.handleSubmit(async ({ note }) => (await isAllSaved()) && act(
    async () => {
      const { tag = "", value } = draftStore.saved ?? {};
      try {
        await publish(note, tag);
      } catch (error) {
        // The connection broke. The server may have published before it did.
        if (error instanceof ApiError || !(await isPublishedSince(value?.base ?? 0))) throw error;
      }
      await reload();
      arriveAtNextTitle();
      goTo(addressWith(params, { view: "versions" }));
    },
    { title: "Published", message: "Visitors see the site as it is now." }, "The server did not answer, so this may not be published. Please try again; nothing is published twice.", failed,
  ));
  const leave = () => act(
    async () => {
      await draftStore.flush();
      draftStore.forget(await discard(draftStore.saved?.tag ?? ""));
      setDiscarding(false);
    },
    { title: "Draft Discarded", message: "The editor shows what is live." }, "Nothing was discarded. Please try again.", failed,
  );
  return (
    <>
      <p className="way-back"><AddressLink to={{ view: null }} arrives>All parts of the website</AddressLink></p>
      <header className="admin-head"><AdminTitle>Changes</AdminTitle></header>
      <Disputes />
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
              <Button busy={busy} busyLabel="Publishing…" inactive={!isReady} type="submit">Publish</Button>
              <AddressLink to={{ view: "preview" }} arrives className="button button-outline">Preview</AddressLink>
              {!isDiscarding && <Button look="outline" onClick={() => setDiscarding(true)}>Discard…</Button>}
            </div>
            {isDiscarding && (
              <>
                <p role="status">Discard {changes.length === 1 ? "this change" : `these ${changes.length} changes`}? They cannot be brought back.</p>
                <div className="card-buttons">
                  <Button look="outline" busy={busy} busyLabel="Discarding…" onClick={leave}>Discard the draft</Button>
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
