import { useId, useState, type FormEvent } from "react";
import { kinds } from "../../lib/page";
import { addressWith, goTo, useAddress } from "../shell/address";
import { useAdmin } from "../shell/admin-context";
import { arriveAtNextTitle } from "../shell/arrival";
import { kindLabels } from "../shell/kinds";
import { listedStatuses, paymentStatuses } from "../shell/statuses";
import { formatCount } from "../shell/numbers";
import { useAction } from "../shell/use-action";
import { fieldErrors, saveDraft, useCount, usePlaceholders, type Draft, type Group, type Mailing, type Notice } from "./api";
import { invitations, notices } from "./group-words";
import { PlaceholderHelp } from "./placeholder-help";

const nothing: Draft = { group: { kind: "competition-entries", paymentStatus: "paid" }, subject: "", text: "", notice: "" };

/** The form of a draft: whom it goes to, and what it says. */
export function Compose({ saved, onSaved, onDirty }: { saved?: Mailing; onSaved?: (mailing: Mailing) => unknown; onDirty?: (dirty: boolean) => void }) {
  const id = useId();
  const params = useAddress();
  const { busy, act } = useAction();
  const [draft, setDraft] = useState<Draft>(saved ? { group: saved.group, subject: saved.subject, text: saved.text, notice: saved.notice ?? "" } : nothing);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const known = usePlaceholders().data?.items ?? [];
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part });
    onDirty?.(true);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void act(
      async () => {
        try {
          const mailing = await saveDraft(draft, saved);
          setWrong({});
          onDirty?.(false);
          await onSaved?.(mailing);
          if (!saved) {
            arriveAtNextTitle();
            goTo(addressWith(params, { id: mailing.id, new: null }), { replace: true });
          }
        } catch (error) {
          setWrong(fieldErrors(error) ?? {});
          throw error;
        }
      },
      { title: "Draft Saved", message: "Nothing has been sent yet." },
      "The draft could not be saved. Please try again.",
    );
  };
  const text = (name: "subject" | "text") => ({
    id: `${id}-${name}`, className: "input", value: draft[name], autoComplete: "off",
    "aria-invalid": wrong[name] ? true : undefined, "aria-describedby": `${id}-${name}-wrong ${id}-help`,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <form className="mailing-form" onSubmit={save} noValidate aria-label="Email">
      <GroupFields group={draft.group} notice={draft.notice} wrong={wrong.group} onChange={(group) => change({ group })} />
      <label className="field-label" htmlFor={`${id}-notice`}>What it is</label>
      <div className="select">
        <select id={`${id}-notice`} className="input" value={draft.notice} onChange={(event) => change({ notice: event.target.value as Notice | "" })}>
          {Object.entries(notices).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </select>
      </div>
      {draft.notice !== "" && <p className="soft">This goes to people who have unsubscribed too. It has no link to unsubscribe, and says why.</p>}
      <label className="field-label" htmlFor={`${id}-subject`}>Subject</label>
      <input {...text("subject")} maxLength={200} />
      <p id={`${id}-subject-wrong`} className="field-error" role="status">{wrong.subject}</p>
      <label className="field-label" htmlFor={`${id}-text`}>Text</label>
      <textarea {...text("text")} rows={12} maxLength={10_000} />
      <p id={`${id}-text-wrong`} className="field-error" role="status">{wrong.text}</p>
      <div id={`${id}-help`}>
        <p className="soft">The greeting and the sign-off are added. An empty line begins a new paragraph.</p>
        <PlaceholderHelp placeholders={known.filter(({ ofEntries }) => !ofEntries || draft.group.kind === "competition-entries")} />
      </div>
      <button type="submit" className="button button-primary" aria-disabled={busy}>{busy ? "Saving..." : "Save draft"}</button>
    </form>
  );
}

interface GroupFieldsProps {
  group: Group;
  notice: Notice | "";
  wrong: string | undefined;
  onChange: (group: Group) => void;
}

/** The question that makes a group, with how many people it finds now. */
function GroupFields({ group, notice, wrong, onChange }: GroupFieldsProps) {
  const { categoryNames } = useAdmin();
  const { data } = useCount(group, notice);
  const reviewed = group.kind === "all" || group.kind === "competition-entries" ? {} : listedStatuses(group.kind);
  const statuses = Object.entries(reviewed).filter(([status]) => status !== "open" && status !== "set_aside");
  const kindNames = Object.fromEntries([["all", "Everybody"], ...kinds.map((kind) => [kind, kindLabels[kind].plural])]) as Record<string, string>;
  return (
    <fieldset className="mailing-group">
      <legend className="title">To</legend>
      <Choice label="Kind" value={group.kind} options={Object.entries(kindNames)} onChange={(kind) => onChange({ kind: kind as Group["kind"] })} />
      {statuses.length > 0 && <Choice label="Status" value={group.status ?? ""} options={[["", "Any status"], ...statuses]} onChange={(status) => onChange({ ...group, status })} />}
      {group.kind === "competition-entries" && (
        <>
          <Choice label="Payment" value={group.paymentStatus ?? ""} options={[["", "Any payment"], ...Object.entries(paymentStatuses)]} onChange={(paymentStatus) => onChange({ ...group, paymentStatus })} />
          <Choice label="Category" value={group.category ?? ""} options={[["", "Any category"], ...Object.entries(categoryNames)]} onChange={(category) => onChange({ ...group, category })} />
        </>
      )}
      {group.kind === "waitlist-signups" && <Choice label="Invitation" value={group.invitation ?? ""} options={[["", "Any"], ...Object.entries(invitations)]} onChange={(invitation) => onChange({ ...group, invitation })} />}
      <p className="mailing-count figures" role="status">
        {data && (data.recipients === 1 ? "1 person gets it." : `${formatCount(data.recipients)} people get it.`)}
        {data && data.unsubscribed > 0 && ` ${formatCount(data.unsubscribed)} unsubscribed.`}
        {data && data.refused > 0 && ` ${formatCount(data.refused)} with an address that was refused.`}
      </p>
      <p className="field-error" role="status">{wrong}</p>
    </fieldset>
  );
}

function Choice({ label, value, options, onChange }: { label: string; value: string; options: [string, string][]; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div>
      <label className="field-label" htmlFor={id}>{label}</label>
      <div className="select">
        <select id={id} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([option, word]) => <option key={option} value={option}>{word}</option>)}
        </select>
      </div>
    </div>
  );
}
