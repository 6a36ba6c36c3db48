import { useEffect, useRef, useState, type FormEvent } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { maxLength, object, pipe, string, trim, type InferOutput } from "valibot";
import { Button } from "../../kit/button";
import { LongTextField } from "../../kit/field";
import { Select } from "../../kit/select";
import { toast } from "../../kit/toast-store";
import { Dialog } from "../../kit/dialog";
import { Loaded } from "../../kit/loaded";
import type { FieldLabels, FormLabels, Registration } from "../shell/kinds";
import { isStale, type Versioned } from "../shell/versioned";
import { ChangedElsewhere, type Difference } from "../shell/parts";
import { choosableStatuses, statusLabel } from "../shell/status-mark";
import { useAction, useValidForm } from "../shell/use-form";
import { amount, textOf } from "../shell/values";
import { MailFrame } from "../shell/mail-frame";
import { addKeeper } from "../shell/unsaved";
import { refreshLists, saveDecision, decisionMailPath, useDecisionMail, type DecisionChanges } from "./api";
import type { Kind } from "../../lib/answer-types";

interface Props {
  kind: Kind;
  form: FormLabels;
  opened: Versioned<Registration>;
  onSaved: () => unknown;
}

/** The title of the section, if it is not "Decision". */
const titles: Partial<Record<Kind, string>> = { "competition-entries": "Notes", "waitlist-signups": "Status", "sponsor-inquiries": "Answer" };

/** The decision about a registration, a note for colleagues, and the email to the person. */
export function Decision({ kind, form: { sections }, opened, onSaved }: Props) {
  const record = opened.value;
  const { busy, act } = useAction();
  const [previewed, setPreviewed] = useState(false);
  /** The record that a refused decision was about. */
  const [refused, setRefused] = useState<Registration>();
  const saveButton = useRef<HTMLButtonElement>(null);
  const form = useDecisionForm(kind, record);
  const { register, handleSubmit, reset, control, formState: { errors } } = form;
  const status = useWatch({ control, name: "status" });
  const statuses = choosableStatuses(kind, record.status);
  const hasMail = Array.isArray(record.letters) && record.letters.includes(status);

  const save = (mail: boolean, event?: FormEvent) => handleSubmit((values) => {
    const changes = changesOf(record, values, mail);
    if (Object.keys(changes).length === 0) {
      toast({ title: "Nothing to Save", message: statuses.length > 0 ? "Choose another status or write a note first." : "Write a note first." });
      return undefined;
    }
    const saved = changes.status ? `The status is now ${statusLabel(changes.status, kind)}.` : "The note is saved.";
    return act(
      async () => {
        await saveDecision(kind, opened, changes);
        setRefused(undefined);
        reset({ status: values.status, note: "", line: "" });
        forgetDraft(kind, record.id);
        setPreviewed(false);
        await Promise.all([onSaved(), refreshLists(kind)]);
        // The button that opened the preview is gone once the email is sent.
        if (mail) saveButton.current?.focus();
      },
      { title: "Saved", message: mail ? `${saved} The email is on its way.` : saved },
      "The decision could not be saved. Please try again.",
      (error) => {
        // The message would be hidden behind the dialog. The typed text is kept.
        setPreviewed(false);
        if (!isStale(error)) return false;
        setRefused(record);
        void onSaved();
        return true;
      },
    );
  })(event);

  return (
    <>
      <form className="panel decision" aria-labelledby="decision-title" onSubmit={(event) => void save(false, event)}>
        <h2 id="decision-title">{titles[kind] ?? "Decision"}</h2>
        {refused && <ChangedElsewhere what="registration" differences={differencesOf(kind, sections.flatMap(({ fields }) => fields), refused, record, status)} />}
        {statuses.length > 0 && <Select label="Status" options={statuses.map((value) => ({ value, label: statusLabel(value, kind) }))} {...register("status")} />}
        {record.status === "set_aside" && status === "new" && (
          <p className="soft">{kind === "competition-entries" ? "It is confirmed once it is paid." : "This sends the confirmation."}</p>
        )}
        <LongTextField label="Note" note="(optional, for organisers only)" rows={2} maxLength={longestNote} error={errors.note?.message} {...register("note")} />
        <div className="panel-buttons">
          {hasMail && <Button aria-haspopup="dialog" onClick={() => setPreviewed(true)}>Preview and send…</Button>}
          <Button ref={saveButton} type="submit" look={hasMail ? "outline" : "primary"} busy={busy} busyLabel="Saving…">
            {hasMail ? "Save without an email" : refused ? "Save mine" : statuses.length === 0 ? "Save note" : titles[kind] ? "Save status" : "Save decision"}
          </Button>
        </div>
      </form>
      {previewed && <DecisionMail kind={kind} id={record.id} status={status} form={form} busy={busy} onSend={() => void save(true)} onClose={() => setPreviewed(false)} />}
    </>
  );
}

function changesOf(record: Registration, { status, note, line }: DecisionValues, mail: boolean): DecisionChanges {
  return {
    ...(status !== record.status && { status }),
    ...(note !== "" && { note }),
    // The status is sent even if it is unchanged, so that its email is the one that is sent.
    ...(mail && { status, mail, ...(line !== "" && { personalLine: line }) }),
  };
}

/** The values of a registration that somebody else has changed since it was read. */
function differencesOf(kind: Kind, fields: FieldLabels[], before: Registration, now: Registration, chosen: string): Difference[] {
  const payment = ({ paymentStatus, paymentAmount }: Registration) => `${statusLabel(String(paymentStatus))} ${amount(paymentAmount) ?? ""}`.trim();
  return [
    ...(now.status !== before.status ? [{ label: "Status", stored: statusLabel(now.status, kind), ...(chosen !== now.status && { yours: statusLabel(chosen, kind) }) }] : []),
    ...(payment(now) !== payment(before) ? [{ label: "Payment", stored: payment(now) }] : []),
    ...fields.filter((field) => textOf(field, now[field.name]) !== textOf(field, before[field.name])).map((field) => ({ label: field.label, stored: textOf(field, now[field.name]) ?? "Not answered" })),
  ];
}

/** The form with what was not saved yet, which is kept at every change. */
function useDecisionForm(kind: Kind, record: Registration) {
  const [draft] = useState(() => draftOf(kind, record.id));
  const form = useValidForm<DecisionValues, DecisionValues>(decisionSchema, { status: draft?.status ?? record.status, note: draft?.note ?? "", line: draft?.line ?? "" });
  const { subscribe, getValues, setValue } = form;
  useEffect(() => subscribe({
    formState: { values: true },
    callback: ({ values: { status, note, line } }) => keepDraft(kind, record.id, { ...(status !== record.status && { status }), note, line }),
  }), [subscribe, kind, record.id, record.status]);
  // Somebody else may have decided meanwhile; what was chosen here stays chosen.
  const shown = useRef(record.status);
  useEffect(() => {
    if (getValues("status") === shown.current) setValue("status", record.status);
    shown.current = record.status;
  }, [record.status, getValues, setValue]);
  return form;
}

/** After so many ms without a key, the preview is loaded again. */
const previewDelay = 400;

interface DecisionMailProps {
  kind: Kind;
  id: number;
  status: string;
  form: UseFormReturn<DecisionValues>;
  busy: boolean;
  onSend: () => void;
  onClose: () => void;
}

/** The email that goes with a decision: previewed, given a personal line, and sent. */
function DecisionMail({ kind, id, status, form: { control, register }, busy, onSend, onClose }: DecisionMailProps) {
  const read = useDecisionMail(kind, id, status);
  const line = useDelayed(useWatch({ control, name: "line" }).trim());
  const send = read.data && <Button busy={busy} busyLabel="Sending…" onClick={onSend}>Save and send</Button>;
  return (
    <Dialog eyebrow={`Email for \u201c${statusLabel(status, kind)}\u201d`} title={read.data?.subject ?? "The email for this decision"} closeLabel="Cancel" actions={send} onClose={onClose}>
      <Loaded of={read} loading="Loading the email…" failed="The email could not be loaded.">
        {({ recipient, subject, warning }) => (
          <>
            {warning && <p className="form-notice" role="alert">{warning}</p>}
            <p className="soft">To {recipient}</p>
            <LongTextField label="Add a line to this email" note="(optional)" rows={2} maxLength={longestLine} {...register("line")} />
            <MailFrame title={`The email "${subject}"`} src={decisionMailPath(kind, id, status, line)} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

/** The text, updated once nothing has been typed for a moment. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), previewDelay);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}

/** The maximum lengths of texts that the server accepts, in characters. */
const longestNote = 10_000;
const longestLine = 1000;

const decisionSchema = object({
  status: string(),
  note: pipe(string(), trim(), maxLength(longestNote, `Please use at most ${longestNote} characters.`)),
  line: pipe(string(), trim(), maxLength(longestLine, `Please use at most ${longestLine} characters.`)),
});

type DecisionValues = InferOutput<typeof decisionSchema>;

/** The status, note and texts that an organiser has entered for a registration but not saved yet. */
interface DecisionDraft {
  status?: string;
  note: string;
  /** What the email says to this person alone. */
  line: string;
}

/** In memory until they are saved: the session may end meanwhile, or the organiser may look something up in a list. */
const drafts = new Map<string, DecisionDraft>();

function draftOf(kind: Kind, id: number): DecisionDraft | undefined {
  return drafts.get(`${kind}/${id}`);
}

function keepDraft(kind: Kind, id: number, draft: DecisionDraft): void {
  drafts.set(`${kind}/${id}`, draft);
}

function forgetDraft(kind: Kind, id: number): void {
  drafts.delete(`${kind}/${id}`);
}

addKeeper({
  what: "a decision or a note about a registration",
  isLeft: () => [...drafts.values()].some(({ status, note, line }) => status !== undefined || note !== "" || line !== ""),
  forget: () => drafts.clear(),
});
