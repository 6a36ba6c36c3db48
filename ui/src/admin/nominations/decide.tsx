import { useEffect, useId, useRef, useState } from "react";
import { boolean, check, forward, nonEmpty, object, pipe, record, string, trim } from "valibot";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField, TextField, FieldGroup } from "../../kit/field";
import type { Nomination, NominationSlot, NominationState } from "../../lib/answer-types";
import { serverNow } from "../../lib/clock";
import { useEventClock } from "../shell/admin-context";
import { useAction, useActionForm } from "../shell/use-form";
import { isStale, type Versioned } from "../shell/versioned";
import { decide, hasUnconfirmedPaper, type Decision } from "./api";

interface Wording {
  verb: string;
  /** The object of the verb, on the button that does it. */
  what?: string;
  text: string;
  done: string;
  /** What became of the nomination with this code. */
  message: (code: string) => string;
}

const takesNoPart = (code: string) => `${code} no longer takes part.`;

const wordings: Record<Task, Wording> = {
  return: {
    verb: "Return", what: "these photos", done: "Returned", message: (code) => `The competitor can replace the photos of ${code} now.`,
    text: "Choose the photos that have to be replaced, and say why. Only these can be changed then.",
  },
  extend: {
    verb: "Extend", what: "the deadline", done: "Extended", message: (code) => `${code} has a later deadline.`,
    text: "Gives this nomination a deadline of its own. A forfeited one takes part again.",
  },
  forfeit: {
    verb: "Forfeit", done: "Forfeited", message: takesNoPart,
    text: "The nomination missed its deadline and no longer takes part. The competitor reads the reason. An extension takes this back.",
  },
  disqualify: {
    verb: "Disqualify", done: "Disqualified", message: takesNoPart,
    text: "The nomination no longer takes part, and this cannot be undone. The competitor reads the reason.",
  },
  withdraw: {
    verb: "Withdraw", done: "Withdrawn", message: takesNoPart,
    text: "The nomination no longer takes part; the entry's other categories stay. No money is refunded: make refunds on the entry's page. The competitor reads the reason.",
  },
  reinstate: {
    verb: "Reinstate", done: "Reinstated", message: (code) => `${code} takes part again.`,
    text: "The nomination takes part again and can be handed in.",
  },
};

/**
 * The possible tasks in each state. The server's rules: `after` in src/portal/transitions.rs, and `carry_out` in
 * src/portal/organiser.rs for `reinstate`.
 */
const possible: Record<NominationState, (Task | "ready")[]> = {
  open: ["extend", "forfeit", "withdraw", "disqualify"],
  handed_in: ["ready", "return", "withdraw", "disqualify"],
  returned: ["ready", "return", "extend", "forfeit", "withdraw", "disqualify"],
  ready: ["return", "withdraw", "disqualify"],
  withdrawn: ["reinstate"],
  forfeited: ["extend", "withdraw", "disqualify"],
  disqualified: [],
};

interface Props {
  opened: Versioned<Nomination>;
  /** Shows what was changed here; without it, what somebody else has changed. */
  onChanged: (changed?: Versioned<Nomination>) => unknown;
}

export function Decide({ opened, onChanged }: Props) {
  const nomination = opened.value;
  const { busy, act } = useAction();
  const [task, setTask] = useState<Task>();
  const [now] = useState(serverNow);
  const isUnsigned = !nomination.release.signed;
  // Offered only after a missed deadline. Earlier it would be a mistake.
  const isMissed = nomination.deadline === null || Date.parse(nomination.deadline) <= now;
  // Takes a return back: nothing may have been removed since.
  const isComplete = !isUnsigned && nomination.slots.every(({ required, media }) => !required || media !== null);
  const isOffered = { forfeit: isMissed, ready: nomination.state === "handed_in" || isComplete } as Partial<Record<Task | "ready", boolean>>;
  const tasks = possible[nomination.state].filter((name) => isOffered[name] ?? true);
  if (tasks.length === 0) return null;
  const accept = () => act(
    async () => onChanged(await decide(opened, { action: "ready" })),
    { title: "Ready", message: `${nomination.code} is ready for the judges.` },
    "Nothing was changed. Please try again.", (error) => isStale(error) && void onChanged(),
  );
  return (
    <section className="decision" aria-labelledby="decide-title">
      <h2 id="decide-title">Decision</h2>
      {task
        ? <TaskForm key={task} task={task} opened={opened} onChanged={onChanged} onLeave={() => setTask(undefined)} />
        : (
          <>
            {isUnsigned && tasks.includes("ready") && <p id="ready-needs" className="field-hint">{hasUnconfirmedPaper(nomination) ? "Confirm the signed paper first, or return it." : "The model has not signed the release."}</p>}
            <div className="card-buttons">
              {tasks.map((name) => name === "ready"
                ? <Button key={name} busy={busy} inactive={isUnsigned} aria-describedby={isUnsigned ? "ready-needs" : undefined} onClick={accept}>Ready for the judges</Button>
                : <Button key={name} look="outline" onClick={() => setTask(name)}>{wordings[name].verb}…</Button>)}
            </div>
          </>
        )}
    </section>
  );
}

function TaskForm({ task, opened, onChanged, onLeave }: Props & { task: Task; onLeave: () => void }) {
  const nomination = opened.value;
  const clock = useEventClock();
  const id = useId();
  const [slots, setSlots] = useState<Record<string, boolean>>({});
  const { busy, field, submit, register, setValue, formState: { errors } } = useActionForm<Answers, Answers>(schemaOf(task), { slots: "", reason: "", until: "", reasons: {} });
  const firstChoice = useRef<HTMLInputElement>(null);
  // A group has no control of its own that could take the focus when it is wrong.
  useEffect(() => register("slots").ref({ focus: () => firstChoice.current?.focus() }), [register]);
  const { verb, what = "this nomination", text, done, message } = wordings[task];
  const { paper, signed } = nomination.release;
  const release = paper.media ? [paper] : signed ? [{ ...paper, label: "Model release (the signature is deleted; the model signs again)" }] : [];
  const returnable = [...nomination.slots, ...release];
  const chosen = returnable.filter(({ key }) => slots[key]);
  const choose = (key: string, isChosen: boolean) => {
    const next = { ...slots, [key]: isChosen };
    setSlots(next);
    setValue("slots", Object.keys(next).filter((one) => next[one]).join(" "), { shouldValidate: errors.slots !== undefined });
  };
  const send = submit(
    async (answers) => {
      const decided = await decide(opened, decisionOf(task, chosen, answers, clock.endOfDay));
      onLeave();
      await onChanged(decided);
    },
    { title: done, message: message(nomination.code) }, "Nothing was changed. Please try again.", (error) => isStale(error) && void onChanged(),
  );
  return (
    <form className="corrections" noValidate onSubmit={send}>
      <p>{text}</p>
      {task === "return" && (
        <FieldGroup id={id} label="Photos to replace" error={errors.slots?.message}>
          {returnable.map(({ key, label }, index) => (
            <div key={key}>
              <Checkbox ref={index === 0 ? firstChoice : undefined} label={label} checked={slots[key] ?? false} onChange={({ target }) => choose(key, target.checked)} />
              {slots[key] && <TextField label={`What is wrong with "${label}"`} maxLength={200} {...register(`reasons.${key}`)} />}
            </div>
          ))}
        </FieldGroup>
      )}
      <LongTextField label={task === "return" ? "To all of them" : "Reason"} note={task === "extend" || task === "reinstate" ? "(for the history)" : "(the competitor reads it)"} rows={2} maxLength={1500} {...field("reason")} />
      {(task === "return" || task === "extend") && (
        <TextField label="New deadline, end of day" note={task === "return" ? "(leave empty to keep the current one)" : "(event time)"} type="date" {...field("until")} />
      )}
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Saving…">{verb} {what}</Button>
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
    </form>
  );
}

export type Task = "return" | "extend" | "forfeit" | "disqualify" | "withdraw" | "reinstate";

/** What an organiser types for any of the tasks. */
interface Answers {
  /** The keys of the chosen slots, separated by spaces. */
  slots: string;
  /** A day as "2026-03-05", or "". */
  until: string;
  reason: string;
  /** A reason for each slot, by its key. */
  reasons: Record<string, string>;
}

export function schemaOf(task: Task) {
  const required = (message: string) => pipe(string(), trim(), nonEmpty(message));
  return object({
    slots: task === "return" ? required("Please choose at least one photo") : string(),
    until: task === "extend" ? required("Please choose a day") : string(),
    // The photos of a return have reasons of their own; the server refuses one without any.
    reason: task === "return" ? pipe(string(), trim()) : required("Please give a reason"),
    reasons: record(string(), string()),
  });
}

const name = pipe(string(), trim());

export const paperSchema = pipe(
  object({ name: pipe(name, nonEmpty("Please enter the model's name")), adult: boolean(), guardian: name }),
  forward(check(({ adult, guardian }) => adult || guardian !== "", "Please enter the name of the parent or guardian"), ["guardian"]),
);

/** Each chosen slot with a reason of its own gets a line, which the portal shows beside its photo. */
export function decisionOf(task: Task, chosen: Pick<NominationSlot, "key" | "label">[], { reason, reasons, until }: Answers, endOfDay: (day: string) => string): Decision {
  if (task === "extend") return { action: task, until: endOfDay(until), reason };
  if (task !== "return") return { action: task, reason };
  const own = chosen.filter(({ key }) => reasons[key]?.trim()).map(({ key, label }) => `${label}: ${reasons[key]!.trim().replace(/\s+/g, " ")}`);
  const lines = [...(reason ? [reason] : []), ...own];
  return { action: task, slots: chosen.map(({ key }) => key), reason: lines.join("\n"), ...(until && { until: endOfDay(until) }) };
}
