import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { maxLength, nonEmpty, object, pipe, string, trim } from "valibot";
import { Loaded } from "../../kit/loaded";
import { Table } from "../../kit/table";
import { Button } from "../../kit/button";
import { LongTextField, TextField } from "../../kit/field";
import { useAddress, AddressLink } from "../shell/address";
import { AdminTitle } from "../shell/admin-title";
import { Instant } from "../shell/admin-context";
import { sections } from "../shell/sections";
import { PlaceholderHelp } from "../mailings/compose";
import { MailFrame } from "../shell/mail-frame";
import { isStale, type Versioned } from "../shell/versioned";
import { ChangedElsewhere, SectionHead } from "../shell/parts";
import { useAction, showAtFields, useValidForm } from "../shell/use-form";
import { LeaveWarning } from "../shell/leave-warning";
import { useUnsaved } from "../shell/unsaved";
import { useMailTexts, previewMailText, resetMailText, saveMailText, useMailText, type MailText, type Previewed, type TextEdit } from "./api";

/** The texts of the standard emails; with `?email=` one of them. */
export function MailTextsSection() {
  const name = useAddress().get("email");
  return name ? <MailTextPage key={name} name={name} /> : <MailTextList />;
}

function MailTextList() {
  const texts = useMailTexts();
  return (
    <>
      <header className="admin-head"><AdminTitle>{sections["mail-texts"]}</AdminTitle></header>
      <p className="measure">What the website says in its confirmations, decisions and receipts. An edited text is used for every email from then on, until you go back to the default.</p>
      <Loaded of={texts} loading="Loading the texts…" failed="The texts could not be loaded.">
        {({ items }) => <TextTable texts={items} />}
      </Loaded>
    </>
  );
}

function TextTable({ texts }: { texts: MailText[] }) {
  return (
    <Table
      caption="Standard emails" rows={texts} rowKey={({ name }) => name}
      columns={[
        { name: "email", label: "Email", cell: ({ name, title, subject }) => <><AddressLink to={{ email: name }} focusTitle className="row-link">{title}</AddressLink><span className="row-email">{subject}</span></> },
        { name: "text", label: "Text", cell: ({ isDefault, changedAt }) => (isDefault || !changedAt ? "Default" : <>Edited <Instant at={changedAt} /></>) },
      ]}
    />
  );
}

/** One standard email: its text, a preview with a real person, and the way back to the default. */
function MailTextPage({ name }: { name: string }) {
  const read = useMailText(name);
  const { data, mutate } = read;
  return (
    <>
      <SectionHead back={{ email: null }} backTo="All standard emails" title={data?.value.title ?? "Standard email"} />
      <Loaded of={read} loading="Loading the text…" failed="This text could not be loaded." missing={<p className="empty">There is no such email.</p>} keepsData>
        {(text) => <TextForm stored={text} onChanged={(changed) => mutate(changed, { revalidate: false })} onStale={() => mutate()} />}
      </Loaded>
    </>
  );
}

const longestSubject = 200;

const schema = object({
  subject: pipe(string(), trim(), nonEmpty("Please enter a subject"), maxLength(longestSubject, `Please use at most ${longestSubject} characters.`)),
  text: pipe(string(), nonEmpty("Please enter a text")),
});

const editOf = ({ subject, text }: MailText): TextEdit => ({ subject, text });

interface Props {
  stored: Versioned<MailText>;
  onChanged: (text: Versioned<MailText>) => unknown;
  /** Reads again what somebody else has saved. */
  onStale: () => unknown;
}

function TextForm({ stored, onChanged, onStale }: Props) {
  const { name, isDefault, actor, placeholders } = stored.value;
  const { busy, act } = useAction();
  const form = useValidForm<TextEdit, TextEdit>(schema, editOf(stored.value));
  const { register, reset, handleSubmit, control, formState: { errors, isDirty } } = form;
  const [isChangedElsewhere, setChangedElsewhere] = useState(false);
  const [preview, setPreview] = useState<Previewed>();
  // While nothing is typed, the form shows what is stored.
  useEffect(() => {
    if (!isDirty) reset(editOf(stored.value));
  }, [stored, isDirty, reset]);
  useUnsaved("the text of an email", isDirty);
  const failed = (error: unknown) => {
    showAtFields(form, error);
    if (!isStale(error)) return false;
    setChangedElsewhere(true);
    void onStale();
    return true;
  };
  const show = (text: Versioned<MailText>) => {
    onChanged(text);
    reset(editOf(text.value));
    setChangedElsewhere(false);
  };
  const save = handleSubmit((edit) => act(
    async () => show(await saveMailText(stored, edit)),
    { title: "Text Saved", message: "Emails use it from now on." }, "The text could not be saved. Please try again.", failed,
  ));
  const makePreview = handleSubmit((edit) => act(
    async () => setPreview(await previewMailText(name, edit)),
    { title: "Preview Ready", message: "It is below the text." }, "The preview could not be made. Please try again.", failed,
  ));
  const goBack = () => act(
    async () => show(await resetMailText(stored)),
    { title: "Default Text", message: "Emails use the default text again." }, "Nothing was changed. Please try again.", failed,
  );
  const takeStored = () => {
    reset(editOf(stored.value));
    setChangedElsewhere(false);
  };
  const typed = useWatch({ control });
  const differences = [
    { label: "Subject", stored: stored.value.subject, yours: typed.subject ?? "" },
    { label: "Text", stored: stored.value.text, yours: typed.text ?? "" },
  ].filter((row) => row.stored !== row.yours);
  return (
    <form className="measure" onSubmit={save} noValidate aria-label="Text">
      <LeaveWarning isUnsaved={isDirty} />
      {isChangedElsewhere && <ChangedElsewhere what="text" differences={differences} />}
      <p className="measure soft">{isDefault ? "This is the default text." : `Edited by ${actor}.`}</p>
      <TextField label="Subject" maxLength={longestSubject} error={errors.subject?.message} {...register("subject")} />
      <LongTextField label="Text" hint="An empty line begins a new paragraph." rows={10} maxLength={10_000} error={errors.text?.message} {...register("text")} />
      <PlaceholderHelp placeholders={placeholders} />
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Saving…">{isChangedElsewhere ? "Save mine" : "Save"}</Button>
        {isChangedElsewhere && <Button look="outline" onClick={takeStored}>Use what is stored</Button>}
        <Button look="outline" busy={busy} onClick={() => void makePreview()}>Preview</Button>
        {!isDefault && !isChangedElsewhere && <Button look="outline" busy={busy} onClick={goBack}>Back to the default</Button>}
      </div>
      {preview && (
        <section className="admin-part" aria-label="Preview">
          <h2>{preview.subject}</h2>
          <p className="soft">As {preview.recipient} would get it</p>
          {isDirty
            ? <pre className="mail-text">{preview.text}</pre>
            : <MailFrame title="The email" src={`/api/mail-texts/${name}/preview/html?at=${encodeURIComponent(stored.tag)}`} />}
        </section>
      )}
    </form>
  );
}
