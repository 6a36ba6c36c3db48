import { useId, useMemo, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { boolean, check, maxLength, nonEmpty, object, pipe, string, transform, trim, type InferInput, type InferOutput } from "valibot";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { Dialog } from "../../kit/dialog";
import { LongTextField, TextField } from "../../kit/field";
import { ApiError } from "../../lib/api-error";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { dollars } from "../../lib/money";
import type { Registration } from "../shell/kinds";
import { MailFrame } from "../shell/mail-frame";
import { useAction } from "../shell/use-action";
import { useValidForm } from "../shell/use-valid-form";
import { refundEntry, refundMailPath } from "./api";
import { centsOf } from "./cents";

/** `left` is what can still be refunded, in cents. */
function refundSchema(left: number) {
  return object({
    amount: pipe(string(), transform(centsOf), check((cents) => cents !== undefined && cents >= 1 && cents <= left, `Please enter an amount up to ${dollars(left)}.`), transform(Number)),
    reason: pipe(string(), trim(), nonEmpty("Please say why. Other organisers will want to know."), maxLength(10_000, "Please use at most 10,000 characters.")),
    notify: boolean(),
  });
}

type Schema = ReturnType<typeof refundSchema>;
type Refund = InferOutput<Schema>;
type RefundForm = UseFormReturn<InferInput<Schema>, unknown, Refund>;

const noRefund: InferInput<Schema> = { amount: "", reason: "", notify: true };

interface Props {
  record: Registration;
  onRefunded: () => unknown;
}

/** Refunds an entry, whole or in part: filled in, confirmed, and sent once. */
export function Refund({ record, onRefunded }: Props) {
  const id = useId();
  const left = Number(record.paymentAmount) - Number(record.refundedAmount ?? 0);
  const schema = useMemo(() => refundSchema(left), [left]);
  const form = useValidForm(schema, noRefund);
  const [confirming, setConfirming] = useState<Refund>();
  const status = String(record.paymentStatus);
  const isOpen = ["paid", "partially_refunded"].includes(status) && left > 0;
  if (!isOpen && status !== "refunded") return null;
  return (
    <section className="panel refund" aria-labelledby={id}>
      <h2 id={id}>Refund</h2>
      {!isOpen && <p>The whole payment of {dollars(Number(record.paymentAmount))} has been refunded.</p>}
      {isOpen && !confirming && <RefundFields form={form} left={left} name={String(record.name)} onContinue={setConfirming} oneCategory={record.oneCategoryCents as number | undefined} />}
      {isOpen && confirming && <Confirmation record={record} refund={confirming} onLeave={() => setConfirming(undefined)} onDone={() => form.reset(noRefund)} onRefunded={onRefunded} />}
    </section>
  );
}

interface FieldsProps {
  form: RefundForm;
  left: number;
  name: string;
  /** The price of one additional category with tax; undefined if there is none to refund. */
  oneCategory: number | undefined;
  onContinue: (refund: Refund) => void;
}

function RefundFields({ form: { register, handleSubmit, setValue, formState: { errors } }, left, name, oneCategory, onContinue }: FieldsProps) {
  const take = (cents: number) => setValue("amount", (cents / 100).toFixed(2), { shouldValidate: errors.amount !== undefined });
  return (
    <form aria-label="Refund" onSubmit={handleSubmit(onContinue)} noValidate>
      <TextField label="Amount in dollars" inputMode="decimal" error={errors.amount?.message} {...register("amount")} />
      <p className="refund-all">
        <Button look="text" onClick={() => take(left)}>All {dollars(left)}</Button>
        {oneCategory !== undefined && <> <Button look="text" onClick={() => take(oneCategory)}>One category, {dollars(oneCategory)} with tax</Button></>}
      </p>
      <LongTextField label="Reason" note="(for organisers only)" rows={2} maxLength={10_000} aria-required="true" error={errors.reason?.message} {...register("reason")} />
      <Checkbox label={`Send ${name} an email about it`} {...register("notify")} />
      <div className="panel-buttons"><Button type="submit" look="outline">Refund…</Button></div>
    </form>
  );
}

interface ConfirmationProps extends Props {
  refund: Refund;
  onLeave: () => void;
  /** The refund was made. */
  onDone: () => void;
}

function Confirmation({ record, refund: { amount, reason, notify }, onLeave, onDone, onRefunded }: ConfirmationProps) {
  const { busy, act } = useAction();
  const [key] = useState(newIdempotencyKey);
  const [unanswered, setUnanswered] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  const name = String(record.name);
  const refund = () => act(
    async () => {
      try {
        await refundEntry(record.id, { amountCents: amount, reason, notify }, key);
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
    { title: "Refunded", message: `${dollars(amount)} is on its way back.` },
    "We don't know yet whether the refund was made. Please try again: it is never paid twice.",
  );
  return (
    <>
      <p>
        {unanswered
          ? "The payment provider did not answer, so the refund may have been made. Please try again, or come back in a few minutes: it is never paid twice."
          : `Give ${dollars(amount)} back to ${name}? This cannot be undone. It reaches the card in 5 to 10 days.`}
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
          <MailFrame title="The email about the refund" src={refundMailPath(record.id, amount)} />
        </Dialog>
      )}
    </>
  );
}
