import { useState } from "react";
import { array, includes, maxLength, object, pipe, string, transform, trim } from "valibot";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { TextField } from "../../kit/field";
import { detailOf } from "../../lib/api-error";
import { Instant } from "../shell/instant";
import { useAction } from "../shell/use-action";
import { showAtFields, useValidForm } from "../shell/use-valid-form";
import type { Mail } from "./api";

interface Props {
  current: string;
  /** Emails that went to the current address; the chosen ones go to the corrected one, too. */
  sent?: Mail[];
  /** Sends the correction with the ids of the emails to send again, and whether another person's address is meant. */
  onCorrect: (email: string, mails: number[], confirm: boolean) => Promise<unknown>;
}

/** Another address for a registration: what could not be delivered to the old one is sent again. */
export function CorrectAddress(props: Props) {
  const [open, setOpen] = useState(false);
  if (!open) return <p><Button look="text" onClick={() => setOpen(true)}>Correct the address and send again…</Button></p>;
  return <CorrectionForm {...props} onLeave={() => setOpen(false)} />;
}

const schema = object({
  email: pipe(string(), trim(), includes("@", "Please enter an email address."), maxLength(200, "Please use at most 200 characters.")),
  mails: pipe(array(string()), transform((ids) => ids.map(Number))),
});

function CorrectionForm({ current, sent = [], onCorrect, onLeave }: Props & { onLeave: () => void }) {
  const { busy, act } = useAction();
  const form = useValidForm(schema, { email: current, mails: sent.map(({ id }) => String(id)) });
  const [question, setQuestion] = useState<{ email: string; text: string }>();
  const { register, formState: { errors } } = form;
  const correct = form.handleSubmit(({ email, mails }) => act(
    async () => {
      await onCorrect(email, mails, question?.email === email);
      onLeave();
    },
    { title: "Address Corrected", message: `The address is now ${email}.` },
    "The address could not be corrected. Please try again.",
    (error) => {
      const belongsTo = / belongs to .+? as well \(.+?\)\./.exec(detailOf(error) ?? "");
      setQuestion(belongsTo ? { email, text: `${email}${belongsTo[0]} Send anyway?` } : undefined);
      showAtFields(form, error);
    },
  ));
  return (
    <form className="panel correct-address" aria-label="Correct the address" onSubmit={correct} noValidate>
      <p className="soft">Now: {current}. The old address stays in the history. Emails to it that have not been sent, and those that you choose here, go to the new one.</p>
      {/* The form is opened to type the address. */}
      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
      <TextField label="Correct email address" type="email" spellCheck={false} autoFocus error={errors.email?.message} {...register("email")} />
      {sent.length > 0 && (
        <fieldset className="field">
          <legend className="field-label">Send these again</legend>
          {sent.map(({ id, subject, createdAt }) => <Checkbox key={id} value={id} label={<>{subject} <span className="soft"><Instant at={createdAt} /></span></>} {...register("mails")} />)}
        </fieldset>
      )}
      {question && <p className="form-notice" role="alert">{question.text}</p>}
      <div className="card-buttons">
        <Button type="submit" busy={busy} busyLabel="Correcting…">{question ? "Send anyway" : "Correct and send again"}</Button>
        <Button look="outline" onClick={onLeave}>Cancel</Button>
      </div>
    </form>
  );
}
