import { useId, useState, type FormEvent } from "react";
import { ApiError } from "../../lib/api-error";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { Failure } from "../../kit/loaded";
import { MailFrame } from "../shell/mail-frame";
import { useAction } from "../shell/use-action";
import { fieldErrors } from "../mailings/api";
import { PlaceholderHelp } from "../mailings/placeholder-help";
import { previewMailText, resetMailText, saveMailText, useMailText, type MailText, type Previewed } from "./api";

/** One standard email: its text, a preview with a real person, and the way back to the default. */
export function MailTextPage({ name }: { name: string }) {
  const { data: text, error, mutate } = useMailText(name);
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <p className="way-back"><AddressLink to={{ email: null }} arrives>All standard emails</AddressLink></p>
      <header className="admin-head"><AdminTitle>{text?.title ?? "Standard email"}</AdminTitle></header>
      {missing && <p className="empty">There is no such email.</p>}
      {error !== undefined && !missing && <Failure error={error} onRetry={() => mutate()}>This text could not be read.</Failure>}
      {error === undefined && !text && <p className="loading">Loading the text...</p>}
      {/* Another version of the text is another form. */}
      {text && <TextForm key={text.changedAt ?? "default"} stored={text} onChanged={(changed) => mutate(changed, { revalidate: false })} />}
    </>
  );
}

function TextForm({ stored, onChanged }: { stored: MailText; onChanged: (text: MailText) => unknown }) {
  const id = useId();
  const { busy, act } = useAction();
  const [edit, setEdit] = useState({ subject: stored.subject, text: stored.text });
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [preview, setPreview] = useState<Previewed>();
  const dirty = edit.subject !== stored.subject || edit.text !== stored.text;
  const checked = (task: () => Promise<unknown>) => async () => {
    try {
      await task();
      setWrong({});
    } catch (error) {
      setWrong(fieldErrors(error) ?? {});
      throw error;
    }
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void act(checked(async () => onChanged(await saveMailText(stored, edit))), { title: "Text Saved", message: "Emails use it from now on." }, "The text could not be saved. Please try again.");
  };
  const show = () => act(checked(async () => setPreview(await previewMailText(stored.name, edit))), { title: "Preview Ready", message: "It is below the text." }, "The preview could not be made. Please try again.");
  const reset = () => act(async () => onChanged(await resetMailText(stored.name)), { title: "Default Text", message: "Emails use the default text again." }, "Nothing was changed. Please try again.");
  const field = (name: "subject" | "text") => ({
    id: `${id}-${name}`, className: "input", value: edit[name], autoComplete: "off",
    "aria-invalid": wrong[name] ? true : undefined, "aria-describedby": `${id}-${name}-wrong ${id}-help`,
    onChange: (event: { target: { value: string } }) => setEdit({ ...edit, [name]: event.target.value }),
  });
  return (
    <form className="mailing-form" onSubmit={save} noValidate aria-label="Text">
      <p className="soft">{stored.isDefault ? "This is the default text." : `Edited by ${stored.actor}.`}</p>
      <label className="field-label" htmlFor={`${id}-subject`}>Subject</label>
      <input {...field("subject")} maxLength={200} />
      <p id={`${id}-subject-wrong`} className="field-error" role="status">{wrong.subject}</p>
      <label className="field-label" htmlFor={`${id}-text`}>Text</label>
      <textarea {...field("text")} rows={10} maxLength={10_000} />
      <p id={`${id}-text-wrong`} className="field-error" role="status">{wrong.text}</p>
      <div id={`${id}-help`}>
        <p className="soft">An empty line begins a new paragraph.</p>
        <PlaceholderHelp placeholders={stored.placeholders} />
      </div>
      <p className="mailing-buttons">
        <button type="submit" className="button button-primary" aria-disabled={busy}>{busy ? "Saving..." : "Save"}</button>
        <button type="button" className="button button-outline" aria-disabled={busy} onClick={show}>Preview</button>
        {!stored.isDefault && <button type="button" className="button button-outline" aria-disabled={busy} onClick={reset}>Back to the default</button>}
      </p>
      {preview && (
        <section className="mailing-part" aria-label="Preview">
          <h2 className="title">{preview.subject}</h2>
          <p className="soft">As {preview.recipient} would get it</p>
          {dirty
            ? <pre className="mailing-text">{preview.text}</pre>
            : <MailFrame title="The email" src={`/api/mail-texts/${stored.name}/preview/html?at=${stored.changedAt ?? ""}`} />}
        </section>
      )}
    </form>
  );
}
