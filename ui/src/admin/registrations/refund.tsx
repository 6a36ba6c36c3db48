import { useId, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { check, forward, maxLength, nonEmpty, object, partialCheck, pipe, boolean, string, transform, trim, type InferInput } from "valibot";
import { Link } from "wouter";
import { Button } from "../../kit/button";
import { Checkbox, Radio } from "../../kit/checkbox";
import { Dialog } from "../../kit/dialog";
import { LongTextField, TextField, FieldGroup } from "../../kit/field";
import { ApiError } from "../../lib/api-error";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { dollars } from "../../lib/money";
import type { Registration } from "../shell/kinds";
import { MailFrame } from "../shell/mail-frame";
import { sectionPath } from "../shell/sections";
import { useAction, useValidForm } from "../shell/use-form";
import type { Versioned } from "../shell/versioned";
import { centsOf } from "../shell/numbers";
import { refundEntry, refundMailPath, type RefundRequest } from "./api";

type Schema = ReturnType<typeof refundSchema>;
type RefundForm = UseFormReturn<InferInput<Schema>, unknown, RefundRequest>;

interface Props {
  opened: Versioned<Registration>;
  onRefunded: () => unknown;
}

/** Refunds an entry, whole or in part: filled in, confirmed, and sent once. */
export function Refund({ opened, onRefunded }: Props) {
  const record = opened.value;
  const left = refundableCents(record);
  const choices = refundChoices(record);
  const form = useValidForm(refundSchema(choices, left), noRefund);
  const [confirming, setConfirming] = useState<RefundRequest>();
  const isOpen = isRefundable(record);
  if (!isOpen && record.paymentStatus !== "refunded") return null;
  return (
    <section className="panel refund" aria-labelledby="refund-title">
      <h2 id="refund-title">Refund</h2>
      {!isOpen && <p>The whole payment of {dollars(Number(record.paymentAmount))} has been refunded.</p>}
      {record.refundedElsewhere === true && <WhichCategory record={record} />}
      {isOpen && !confirming && <RefundFields form={form} choices={choices} name={String(record.name)} onContinue={setConfirming} />}
      {isOpen && confirming && (
        <Confirmation
          opened={opened} refund={confirming} consequence={consequenceOf(choices.find(({ value }) => value === form.getValues("what")), record)}
          onLeave={() => setConfirming(undefined)} onDone={() => form.reset(noRefund)} onRefunded={onRefunded}
        />
      )}
    </section>
  );
}

/** A part was refunded in the provider's dashboard, which knows no categories. */
function WhichCategory({ record }: { record: Registration }) {
  return (
    <div className="refund-question">
      <p>{dollars(Number(record.refundedAmount))} was refunded at the payment provider, and every category still takes part. Is one of them withdrawn?</p>
      <ul>
        {activeNominations(record).map(({ id, code, label }) => <li key={id}><Link href={`${sectionPath("nominations")}?id=${id}`}>Withdraw {label} ({code})</Link></li>)}
      </ul>
    </div>
  );
}

interface FieldsProps {
  form: RefundForm;
  choices: RefundChoice[];
  name: string;
  onContinue: (refund: RefundRequest) => void;
}

function RefundFields({ form: { register, handleSubmit, watch, formState: { errors } }, choices, name, onContinue }: FieldsProps) {
  const id = useId();
  const what = watch("what");
  const choice = choices.find(({ value }) => value === what);
  return (
    <form aria-label="Refund" onSubmit={handleSubmit(onContinue)} noValidate>
      <FieldGroup id={id} label="What is refunded?" error={errors.what?.message}>
        {choices.map(({ value, label }) => <Radio key={value} label={<span className="figures">{label}</span>} value={value} {...register("what")} />)}
      </FieldGroup>
      {choice && choice.cents === undefined && <TextField label="Amount in dollars" inputMode="decimal" error={errors.amount?.message} {...register("amount")} />}
      <LongTextField label="Reason" note="(for organisers only)" rows={2} maxLength={10_000} aria-required="true" error={errors.reason?.message} {...register("reason")} />
      <Checkbox label={`Send ${name} an email about it`} {...register("notify")} />
      <div className="panel-buttons"><Button type="submit" look="outline">Refund…</Button></div>
    </form>
  );
}

interface ConfirmationProps extends Props {
  refund: RefundRequest;
  /** What becomes of the categories. */
  consequence: string;
  onLeave: () => void;
  /** The refund was made. */
  onDone: () => void;
}

function Confirmation({ opened, refund: wanted, consequence, onLeave, onDone, onRefunded }: ConfirmationProps) {
  const record = opened.value;
  const { amountCents: amount, category, notify } = wanted;
  const { busy, act } = useAction();
  const [key] = useState(newIdempotencyKey);
  const [unanswered, setUnanswered] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  const name = String(record.name);
  const refund = () => act(
    async () => {
      try {
        await refundEntry(opened, wanted, key);
        onDone();
        onLeave();
      } catch (error) {
        // A refusal is final for its key; without an answer the same key is sent again.
        if (error instanceof ApiError && error.status < 500) onLeave();
        else setUnanswered(true);
        throw error;
      } finally {
        await onRefunded();
      }
    },
    { title: "On Its Way", message: `${dollars(amount)} is on its way back.` },
    "We don't know yet whether the refund was made. Please try again: it is never paid twice.",
  );
  return (
    <>
      <p>
        {unanswered
          ? "The payment provider did not answer, so the refund may have been made. Please try again, or come back in a few minutes: it is never paid twice."
          : `Give ${dollars(amount)} back to ${name}? ${consequence && `${consequence} `}This cannot be undone. The money reaches the card in 5 to 10 days.`}
      </p>
      {notify
        ? <p>{name} gets an email about it. <Button look="text" aria-haspopup="dialog" onClick={() => setPreviewed(true)}>Preview the email</Button></p>
        : <p>No email is sent.</p>}
      <div className="panel-buttons">
        <Button busy={busy} busyLabel="Refunding…" onClick={refund}>Refund {dollars(amount)}</Button>
        <Button look="outline" onClick={onLeave}>{unanswered ? "Come back later" : "Cancel"}</Button>
      </div>
      {previewed && (
        <Dialog eyebrow={`Refund of ${dollars(amount)}`} title="The email about it" onClose={() => setPreviewed(false)}>
          <p className="soft">To {String(record.email)}</p>
          <MailFrame title="The email about the refund" src={refundMailPath(record.id, amount, category)} />
        </Dialog>
      )}
    </>
  );
}

/** A category of an entry; `code` is what judges know it by. */
interface NominationLine {
  id: number;
  code: string;
  label: string;
  state: string;
}

/** What may be refunded: a category, which is then withdrawn, everything, or another amount. */
interface RefundChoice {
  /** A nomination's code, "all" or "other". */
  value: string;
  label: string;
  /** Undefined where the organiser has to type the amount. */
  cents: number | undefined;
}

const takingPart = ["open", "handed_in", "returned", "ready"];

export function nominationsOf(record: Registration): NominationLine[] {
  return (record.nominations as NominationLine[] | null | undefined) ?? [];
}

function activeNominations(record: Registration): NominationLine[] {
  return nominationsOf(record).filter(({ state }) => takingPart.includes(state));
}

/** In cents. */
function refundableCents(record: Registration): number {
  return Number(record.paymentAmount) - Number(record.refundedAmount ?? 0);
}

/** Whether something of the payment can still be refunded. */
export function isRefundable(record: Registration): boolean {
  return ["paid", "partially_refunded"].includes(String(record.paymentStatus)) && refundableCents(record) > 0;
}

/** The last category that takes part is refunded with everything else. */
export function refundChoices(record: Registration): RefundChoice[] {
  const price = record.oneCategoryCents as number | undefined;
  const active = activeNominations(record);
  const left = refundableCents(record);
  const categories = active.length < 2 ? [] : active.map(({ code, label }) => ({ value: code, label: `${label} (${code})${price === undefined ? "" : `, ${dollars(price)} with tax`}`, cents: price }));
  return [...categories, { value: "all", label: `Everything, ${dollars(left)}`, cents: left }, { value: "other", label: "Another amount", cents: undefined }];
}

/** What the choice does to the categories, as a sentence. */
export function consequenceOf(choice: RefundChoice | undefined, record: Registration): string {
  if (choice === undefined) return "";
  const active = activeNominations(record);
  if (choice.value === "other") return active.length > 0 ? "No category is withdrawn." : "";
  if (choice.value === "all") return active.length === 0 ? "" : active.length === 1 ? `${active[0]!.label} is withdrawn with it.` : "All categories are withdrawn with it.";
  const label = active.find(({ code }) => code === choice.value)?.label ?? choice.value;
  return `${label} is withdrawn with it; the rest of the entry stays.`;
}

export const noRefund = { what: "", amount: "", reason: "", notify: true };

export function refundSchema(choices: RefundChoice[], left: number) {
  const chosen = (what: string) => choices.find(({ value }) => value === what);
  const cents = ({ what, amount }: { what: string; amount: string }) => chosen(what)?.cents ?? centsOf(amount);
  return pipe(
    object({
      what: pipe(string(), check((what) => chosen(what) !== undefined, "Please choose what is refunded.")),
      amount: string(),
      reason: pipe(string(), trim(), nonEmpty("Please say why. Other organisers will want to know."), maxLength(10_000, "Please use at most 10,000 characters.")),
      notify: boolean(),
    }),
    forward(
      partialCheck([["what"], ["amount"]], (input) => {
        const amount = cents(input);
        return chosen(input.what) === undefined || (amount !== undefined && amount >= 1 && amount <= left);
      }, `Please enter an amount up to ${dollars(left)}.`),
      ["amount"],
    ),
    transform(({ what, amount, reason, notify }): RefundRequest => ({
      amountCents: cents({ what, amount }) ?? 0, reason, notify, ...(!["all", "other"].includes(what) && { category: what }),
    })),
  );
}
