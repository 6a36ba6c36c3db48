import { useEffect, useState } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { maxLength, nonEmpty, object, pipe, string, trim, type InferOutput } from "valibot";
import { Button } from "../../kit/button";
import { LongTextField, TextField } from "../../kit/field";
import { optionsOf, Select, type Option } from "../../kit/select";
import type { Kind } from "../../lib/answer-types";
import { kinds } from "../../lib/page";
import { useAdmin } from "../shell/admin-context";
import { kindLabels } from "../shell/kinds";
import { formatCount } from "../shell/numbers";
import { LeaveWarning } from "../shell/leave-warning";
import { isStale, type Versioned } from "../shell/versioned";
import { ChangedElsewhere, type Difference } from "../shell/parts";
import { listedStatuses, paymentStatuses, statusLabel } from "../shell/status-mark";
import { useAction, showAtFields, useValidForm } from "../shell/use-form";
import { addKeeper, useUnsaved } from "../shell/unsaved";
import { saveDraft, useCount, usePlaceholders, type Mailing, type Notice, type Draft, type Group, type Placeholder } from "./api";
import { attendances, groupText, invitations, notices } from "./group-text";

type DraftForm = UseFormReturn<DraftValues>;

/** What was typed when the session ended, and in which version of the draft, by its id. */
const interrupted = new Map<number | "new", { values: DraftValues; tag: string | undefined }>();
addKeeper({ what: "an email to a group", isLeft: () => interrupted.size > 0, forget: () => interrupted.clear() });

/** The form of a draft. While nothing is typed in it, it shows what is stored. A new one begins with `begun`. */
export function useDraftForm({ saved, begun = newDraft }: { saved?: Versioned<Mailing>; begun?: DraftValues }): DraftForm {
  const form = useValidForm<DraftValues, DraftValues>(draftSchema, saved ? valuesOf(saved.value) : begun);
  const { reset, formState: { isDirty } } = form;
  useEffect(() => {
    if (saved && !isDirty) reset(valuesOf(saved.value));
  }, [saved, isDirty, reset]);
  const id = saved?.value.id ?? "new";
  useEffect(() => {
    const kept = interrupted.get(id);
    if (kept) reset(kept.values, { keepDefaultValues: true });
    interrupted.delete(id);
  }, [id, reset]);
  useUnsaved("an email to a group", isDirty, () => interrupted.set(id, { values: form.getValues(), tag: saved?.tag }));
  return form;
}

interface Props {
  form: DraftForm;
  saved?: Versioned<Mailing>;
  onSaved: (saved: Versioned<Mailing>) => unknown;
  /** Reads again what somebody else has saved. */
  onStale?: () => unknown;
}

/** The form for an email to a group: the group, the subject and the text. */
export function Compose({ form, saved, onSaved, onStale }: Props) {
  const { busy, act } = useAction();
  const [isChangedElsewhere, setChangedElsewhere] = useState(() => {
    const kept = saved && interrupted.get(saved.value.id);
    return kept !== undefined && kept.tag !== saved?.tag;
  });
  const { control, register, reset, handleSubmit, formState: { errors, isDirty } } = form;
  const [kind, notice] = useWatch({ control, name: ["group.kind", "notice"] });
  const known = usePlaceholders().data?.items ?? [];
  const save = handleSubmit((values) => act(
    async () => {
      const stored = await saveDraft(draftOf(values), saved);
      await onSaved(stored);
      reset(valuesOf(stored.value));
      setChangedElsewhere(false);
    },
    { title: "Draft Saved", message: "Nothing has been sent yet." },
    "The draft could not be saved. Please try again.",
    (error) => {
      showAtFields(form, error);
      if (!isStale(error)) return false;
      setChangedElsewhere(true);
      void onStale?.();
      return true;
    },
  ));
  const takeStored = () => {
    if (saved) reset(valuesOf(saved.value));
    setChangedElsewhere(false);
  };
  return (
    <form className="measure" onSubmit={save} noValidate aria-label="Email">
      <LeaveWarning isUnsaved={isDirty} />
      {isChangedElsewhere && saved && <ChangedDraft form={form} stored={saved.value} />}
      <GroupFields form={form} />
      <Select label="What it is" options={optionsOf(notices)} hint={notice !== "" && "This goes to people who have unsubscribed too, and to the holder of a transferred ticket. It has no link to unsubscribe, and says why."} {...register("notice")} />
      <TextField label="Subject" maxLength={200} error={errors.subject?.message} {...register("subject")} />
      <LongTextField label="Text" hint="The greeting and the sign-off are added. An empty line begins a new paragraph." rows={12} maxLength={10_000} error={errors.text?.message} {...register("text")} />
      <PlaceholderHelp placeholders={known.filter(({ ofEntries }) => !ofEntries || kind === "competition-entries")} />
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Saving…">{isChangedElsewhere ? "Save mine" : "Save draft"}</Button>
        {isChangedElsewhere && <Button look="outline" onClick={takeStored}>Use what is stored</Button>}
      </div>
    </form>
  );
}

function ChangedDraft({ form: { control }, stored }: { form: DraftForm; stored: Mailing }) {
  const { categoryNames } = useAdmin();
  const [group, subject, text, notice] = useWatch({ control, name: ["group", "subject", "text", "notice"] });
  const rows: Required<Difference>[] = [
    { label: "To", stored: groupText(stored.group, categoryNames), yours: groupText(groupOf(group), categoryNames) },
    { label: "What it is", stored: notices[stored.notice ?? ""], yours: notices[notice as Notice | ""] },
    { label: "Subject", stored: stored.subject, yours: subject },
    { label: "Text", stored: stored.text, yours: text },
  ];
  return <ChangedElsewhere what="email" differences={rows.filter((row) => row.stored !== row.yours)} />;
}

const conditions = ["group.status", "group.paymentStatus", "group.category", "group.invitation", "group.attendance"] as const;

/** The question that makes a group, with how many people it finds now. */
function GroupFields({ form: { control, register, setValue, formState: { errors } } }: { form: DraftForm }) {
  const { categoryNames } = useAdmin();
  const [group, notice] = useWatch({ control, name: ["group", "notice"] });
  const { data } = useCount(groupOf(group), notice as Notice | "");
  const kind = kinds.find((one) => one === group.kind);
  const reviewed = kind && kind !== "competition-entries" ? listedStatuses(kind) : {};
  const statuses = optionsOf(reviewed).filter(({ value }) => value !== "open" && value !== "set_aside");
  const allKinds = [{ value: "all", label: "Everybody" }, ...kinds.map((one) => ({ value: one, label: kindLabels[one].plural }))];
  const clear = () => conditions.forEach((name) => setValue(name, ""));
  return (
    <fieldset className="panel mailing-group">
      <legend>To</legend>
      <Select label="Kind" options={withSeveral(allKinds, group.kind, (one) => kindLabels[one as Kind].plural)} {...register("group.kind", { onChange: clear })} />
      {statuses.length > 0 && <Select label="Status" options={withSeveral(any("Any status", statuses), group.status, (one) => statusLabel(one, kind))} {...register("group.status")} />}
      {kind === "competition-entries" && (
        <>
          <Select label="Payment" options={withSeveral(any("Any payment", [{ value: takingPart, label: "Taking part" }, ...optionsOf(paymentStatuses)]), group.paymentStatus, (one) => statusLabel(one))} {...register("group.paymentStatus")} />
          <Select label="Category" options={any("Any category", optionsOf(categoryNames))} {...register("group.category")} />
        </>
      )}
      {kind === "waitlist-signups" && <Select label="Invitation" options={withSeveral(any("Any", optionsOf(invitations)), group.invitation, (one) => invitations[one as keyof typeof invitations])} {...register("group.invitation")} />}
      {kind !== "waitlist-signups" && kind !== "sponsor-inquiries" && <Select label="At the door" options={any("Whether they came or not", optionsOf(attendances))} hint={group.attendance !== "" && "Of those who registered here and have a ticket. Guests, and judges who were invited without an application, are not in a group."} {...register("group.attendance")} />}
      {errors.group?.message && <p className="field-error" role="alert">{String(errors.group.message)}</p>}
      <p className="mailing-count figures" role="status">
        {data && (data.recipients === 1 ? "1 person will get it." : `${formatCount(data.recipients)} people will get it.`)}
        {data && data.unsubscribed > 0 && ` ${formatCount(data.unsubscribed)} unsubscribed.`}
        {data && data.refused > 0 && ` ${formatCount(data.refused)} with an address that was refused.`}
      </p>
    </fieldset>
  );
}

function any(label: string, options: Option[]): Option[] {
  return [{ value: "", label }, ...options];
}

/** A program may have stored several values: they are one more option, so that a save keeps them. */
function withSeveral(options: Option[], value: string, label: (one: string) => string): Option[] {
  return value.includes(",") && !options.some((option) => option.value === value) ? [{ value, label: value.split(",").map(label).join(", ") }, ...options] : options;
}

const longestSubject = 200;

const draftSchema = object({
  group: object({ kind: string(), status: string(), paymentStatus: string(), category: string(), invitation: string(), attendance: string() }),
  subject: pipe(string(), trim(), nonEmpty("Please enter a subject"), maxLength(longestSubject, `Please use at most ${longestSubject} characters.`)),
  text: pipe(string(), nonEmpty("Please enter a text")),
  notice: string(),
});

/** A draft as the form holds it. The empty text is no condition; several values of a condition are one text with commas. */
type DraftValues = InferOutput<typeof draftSchema>;

export function draftOf({ group, subject, text, notice }: DraftValues): Draft {
  return { group: groupOf(group), subject, text, notice: notice as Notice | "" };
}

/**
 * Everybody with a place: a partial refund or a dispute leaves the entry in, and a complimentary entry was never paid for. The
 * server leaves out entries that were withdrawn or declined.
 */
const takingPart = "paid,partially_refunded,disputed,complimentary";

export const newDraft: DraftValues = {
  group: { kind: "competition-entries", status: "", paymentStatus: takingPart, category: "", invitation: "", attendance: "" },
  subject: "", text: "", notice: "",
};

/** A new draft to everybody who came to the event or did not; without an attendance, to everybody who has entered. */
export function newDraftTo(attendance: string | null): DraftValues {
  if (attendance === null || !Object.hasOwn(attendances, attendance)) return newDraft;
  return { ...newDraft, group: { ...newDraft.group, kind: "all", paymentStatus: "", attendance } };
}

export function valuesOf({ group, subject, text, notice }: Mailing): DraftValues {
  const one = (name: keyof Group) => [group[name] ?? ""].flat().join();
  return { group: { kind: one("kind"), status: one("status"), paymentStatus: one("paymentStatus"), category: one("category"), invitation: one("invitation"), attendance: one("attendance") }, subject, text, notice: notice ?? "" };
}

function groupOf(group: DraftValues["group"]): Group {
  const conditions = Object.entries(group).filter(([, value]) => value !== "");
  return Object.fromEntries(conditions.map(([name, value]) => [name, value.includes(",") ? value.split(",") : value])) as unknown as Group;
}

/** The placeholders of a text, each with an explanation of its value. */
export function PlaceholderHelp({ placeholders }: { placeholders: Placeholder[] }) {
  return (
    <dl className="placeholder-help">
      {placeholders.map(({ name, placeholder, meaning }) => <div key={name}><dt><code>{placeholder}</code></dt><dd>{meaning}</dd></div>)}
    </dl>
  );
}
