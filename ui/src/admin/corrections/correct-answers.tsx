import { useEffect, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { boolean, custom, object, pipe, record, string, trim, type InferOutput } from "valibot";
import { Dialog } from "../../kit/dialog";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import type { Kind } from "../../lib/answer-types";
import { detailOf, errorsOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField, TextField } from "../../kit/field";
import { Select } from "../../kit/select";
import type { FieldLabels, FormLabels, Registration } from "../shell/kinds";
import { isStale, type Versioned } from "../shell/versioned";
import { ChangedElsewhere } from "../shell/parts";
import { endsSession } from "../shell/session";
import { LeaveWarning } from "../shell/leave-warning";
import { useUnsaved } from "../shell/unsaved";
import { useValidForm } from "../shell/use-form";
import { textOf } from "../shell/values";
import { correctAnswers, openRecord, previewCorrection, type CorrectionPreview } from "./api";

interface Props {
  kind: Kind;
  form: FormLabels;
  record: Registration;
  onSaved: () => unknown;
}

/** Corrects answers of a registration, in the fields of its form. */
export function CorrectAnswers({ kind, form, record, onSaved }: Props) {
  const [opened, setOpened] = useState<Versioned<Registration>>();
  const { busy, run } = useBusy();
  const open = () => run(async () => {
    try {
      setOpened(await openRecord(kind, record.id));
    } catch (error) {
      if (!endsSession(error)) toast({ title: "Error", message: detailOf(error) ?? "The registration could not be loaded. Please try again.", tone: "destructive" });
    }
  });
  return (
    <section className="record-action" aria-labelledby="corrections-title">
      <h2 id="corrections-title">Corrections</h2>
      {opened
        ? <CorrectionForm key={opened.value.id} kind={kind} form={form} opened={opened} onOpened={setOpened} onSaved={onSaved} onLeave={() => setOpened(undefined)} />
        : <Button look="outline" busy={busy} busyLabel="Loading…" onClick={open}>Correct answers…</Button>}
    </section>
  );
}

interface FormProps {
  kind: Kind;
  form: FormLabels;
  opened: Versioned<Registration>;
  onOpened: (opened: Versioned<Registration>) => void;
  onSaved: () => unknown;
  onLeave: () => void;
}

function CorrectionForm({ kind, form, opened, onOpened, onSaved, onLeave }: FormProps) {
  const { busy, run } = useBusy();
  const { register, handleSubmit, control, getValues, setValue, setError, clearErrors, formState: { errors } } = useValidForm(correctionSchema, { answers: {}, reason: "", mail: false });
  const { answers, reason, mail } = useWatch({ control }) as Correction;
  const [isChangedElsewhere, setChangedElsewhere] = useState(false);
  const [preview, setPreview] = useState<CorrectionPreview>();
  const isUnsaved = Object.keys(answers).length > 0 || reason !== "";
  useUnsaved("a correction", isUnsaved);
  const record = opened.value;
  const fields = form.sections.flatMap((section) => section.fields).filter((field) => field.type !== "consent");
  const chosen = fields.filter((field) => field.name in answers);
  const left = fields.filter((field) => !(field.name in answers));

  /** Those of a subcategory are of the category that is chosen here. */
  const optionsOf = ({ of, options }: FieldLabels) => of ? form.subcategories?.[String(answers[of] ?? record[of])]?.map((name) => ({ value: name, label: name })) : options;
  const change = (name: string, answer: Answer) => {
    setValue(`answers.${name}`, answer);
    // Another category needs another subcategory.
    const dependent = fields.filter(({ of }) => of === name).map((field) => field.name);
    for (const other of dependent) setValue(`answers.${other}`, null);
    clearErrors([name, ...dependent].map((changed) => `answers.${changed}` as const));
  };

  const box = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) box.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [refusals]);

  const report = (error: unknown, otherwise: string, found = errorsOf(error)) => {
    const named = [...chosen.map(({ name }) => name), "reason"].filter((name) => found[name]);
    for (const name of named) setError(name === "reason" ? name : `answers.${name}`, { type: "server", message: found[name] });
    setRefusals((count) => count + 1);
    const isAtFields = named.length > 0 && named.length === Object.keys(found).length;
    if (!isAtFields && !endsSession(error)) toast({ title: "Error", message: detailOf(error) ?? otherwise, tone: "destructive" });
  };
  const save = handleSubmit((correction) => run(async () => {
    try {
      await correctAnswers(kind, opened, correction);
      toast({ title: "Corrected", message: correction.mail ? "The email that says so is on its way." : "The old answers stay in the history." });
      onLeave();
      await onSaved();
    } catch (error) {
      if (isStale(error)) {
        onOpened(await openRecord(kind, record.id));
        setChangedElsewhere(true);
      } else {
        // The server looks at the answers only once there is a reason; the preview needs none.
        const found = errorsOf(error);
        const ofAnswers = found.reason ? await previewCorrection(kind, record.id, correction.answers).then(() => ({}), errorsOf) : {};
        report(error, "Nothing was corrected. Please try again.", { ...ofAnswers, ...found });
      }
    }
  }));
  const showPreview = () => run(async () => {
    try {
      clearErrors();
      setPreview(await previewCorrection(kind, record.id, getValues("answers")));
    } catch (error) {
      report(error, "The preview could not be loaded. Please try again.");
    }
  });

  return (
    <form ref={box} className="corrections" onSubmit={(event) => void save(event)} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      {isChangedElsewhere && <ChangedElsewhere what="registration" differences={chosen.map((field) => ({ label: field.label, stored: shown(field, record[field.name]), yours: shown(field, answers[field.name]) }))} />}
      {chosen.map((field) => (
        <AnswerField
          key={field.name} field={{ ...field, options: optionsOf(field) }} value={answers[field.name] ?? null}
          error={errors.answers?.[field.name]?.message} onChange={(answer) => change(field.name, answer)}
        />
      ))}
      <Select
        label={chosen.length === 0 ? "Which answer is wrong?" : "Another answer"} note={chosen.length === 0 ? undefined : "(optional)"} value=""
        options={[{ value: "", label: "Choose…" }, ...left.map(({ name, label }) => ({ value: name, label }))]}
        onChange={({ target }) => target.value && setValue(`answers.${target.value}`, answerOf(record[target.value]))}
      />
      {chosen.length > 0 && (
        <>
          <LongTextField label="Reason" note="(never shown to the person)" rows={2} maxLength={1000} error={errors.reason?.message} {...register("reason")} />
          <Checkbox label="Send an email that says what was changed" {...register("mail")} />
          {mail && <p><Button look="text" aria-haspopup="dialog" onClick={showPreview}>Preview the email</Button></p>}
        </>
      )}
      <div className="card-buttons">
        {chosen.length > 0 && <Button type="submit" busy={busy} busyLabel="Saving…">{isChangedElsewhere ? "Save mine" : "Save correction"}</Button>}
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
      {preview && <PreviewDialog preview={preview} onClose={() => setPreview(undefined)} />}
    </form>
  );
}

function shown(field: FieldLabels, value: unknown): string {
  return textOf(field, value) ?? "Not answered";
}

function PreviewDialog({ preview: { changes, mail }, onClose }: { preview: CorrectionPreview; onClose: () => void }) {
  return (
    <Dialog eyebrow="Correction" title="The email about it" onClose={onClose}>
      {changes.length === 0 && <p>These are the answers already: nothing would be changed or sent.</p>}
      {changes.length > 0 && !mail && <p>This submission is held for review, so no email is sent.</p>}
      {mail && (
        <>
          <p className="soft">To {mail.recipient}. Subject: {mail.subject}</p>
          <p className="long-text">{mail.text}</p>
        </>
      )}
    </Dialog>
  );
}

interface AnswerFieldProps {
  field: FieldLabels;
  value: Answer;
  error: string | undefined;
  onChange: (value: Answer) => void;
}

const yesOrNo = [{ value: "yes", label: "Yes" }, { value: "no", label: "No" }];

/** The control for one answer, by its field's type. The server validates the value by the form's rules. */
function AnswerField({ field: { label, type, options }, value, error, onChange }: AnswerFieldProps) {
  const text = value === null ? "" : String(value);
  if (type === "flag") {
    return <Select label={label} error={error} options={yesOrNo} value={value === true ? "yes" : "no"} onChange={(event) => onChange(event.target.value === "yes")} />;
  }
  if (type === "choices") {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset className="field">
        <legend className="field-label">{label}</legend>
        {error && <p className="field-error" role="status">{error}</p>}
        {options?.map((option) => (
          <Checkbox key={option.value} label={option.label} checked={chosen.includes(option.value)} onChange={(event) => onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))} />
        ))}
      </fieldset>
    );
  }
  if (options && options.length > 0) {
    const known = options.some((option) => option.value === text);
    const shown = known ? options : [{ value: text, label: text || "Not answered" }, ...options];
    return <Select label={label} error={error} options={shown} value={text} onChange={(event) => onChange(event.target.value || null)} />;
  }
  if (type === "count") {
    return <TextField label={label} error={error} type="number" min={0} value={text} onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))} />;
  }
  const change = (typed: string) => onChange(typed === "" ? null : typed);
  return type === "longText"
    ? <LongTextField label={label} error={error} rows={5} value={text} onChange={(event) => change(event.target.value)} />
    : <TextField label={label} error={error} value={text} spellCheck={false} onChange={(event) => change(event.target.value)} />;
}

/** The answer to one field. `null`: not answered. */
type Answer = string | number | boolean | string[] | null;

/** The answers that are corrected, by field. The server checks them by the form's rules, together with the reason. */
const correctionSchema = object({ answers: record(string(), custom<Answer>(isAnswer)), reason: pipe(string(), trim()), mail: boolean() });

export type Correction = InferOutput<typeof correctionSchema>;

/** An answer as it is stored. */
function answerOf(stored: unknown): Answer {
  return isAnswer(stored) ? stored : null;
}

function isAnswer(value: unknown): value is Answer {
  return value === null || ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value);
}
