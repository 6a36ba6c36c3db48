import { useId, useState, type FormEvent } from "react";
import { ApiError } from "../../lib/api-error";
import { request } from "../../lib/request";
import { Instant } from "../shell/instant";
import type { Mail } from "./mail";
import { useAction } from "../shell/use-action";

interface Props {
  /** Where the correction is sent. */
  path: string;
  current: string;
  /** Emails that went to the present address; the chosen ones go to the corrected one too. */
  sent?: Mail[];
  onCorrected: (corrected: unknown) => unknown;
}

/** Another address for a registration: what could not be delivered to the old one is sent again. */
export function CorrectAddress({ path, current, sent = [], onCorrected }: Props) {
  const id = useId();
  const { busy, act } = useAction();
  const [open, setOpen] = useState(false);
  const [wrong, setWrong] = useState("");
  const [question, setQuestion] = useState<{ email: string; text: string }>();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const email = String(values.get("email") ?? "").trim();
    const mails = values.getAll("mail").map(Number);
    setWrong("");
    const confirm = question?.email === email;
    void act(
      async () => {
        try {
          const answer = await request(path, { method: "POST", body: { email, ...(mails.length > 0 && { mails }), ...(confirm && { confirm }) } });
          const corrected: unknown = await answer.json();
          setOpen(false);
          await onCorrected(corrected);
        } catch (error) {
          const belongsTo = error instanceof ApiError && error.status === 409 ? / belongs to .+? as well \(.+?\)\./.exec(error.problem.detail ?? "") : null;
          setQuestion(belongsTo ? { email, text: `${email}${belongsTo[0]} Send anyway?` } : undefined);
          setWrong((error instanceof ApiError && error.problem.errors?.email) || "");
          throw error;
        }
      },
      { title: "Address Corrected", message: `The address is now ${email}.` },
      "The address was left as it is. Please try again.",
    );
  };

  if (!open) return <p><button type="button" className="text-button" onClick={() => setOpen(true)}>Correct the address and send again...</button></p>;
  return (
    <form className="correct-address" aria-label="Correct the address" onSubmit={submit}>
      <p className="soft">Now: {current}. The old address stays in the history. Emails to it that have not been sent, and those that you choose here, go to the new one.</p>
      <label className="field-label" htmlFor={id}>Correct email address</label>
      {/* Whoever opens the form wants to type the address. */}
      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
      <input id={id} name="email" type="email" required maxLength={200} className="input" defaultValue={current} autoFocus aria-invalid={wrong ? true : undefined} aria-describedby={`${id}-wrong`} autoComplete="off" spellCheck={false} />
      <p id={`${id}-wrong`} className="field-error" role="status">{wrong}</p>
      {sent.length > 0 && (
        <fieldset className="correct-again">
          <legend className="field-label">Send these again</legend>
          {sent.map((mail) => (
            <label key={mail.id} className="tick">
              <input type="checkbox" name="mail" value={mail.id} defaultChecked />
              <span>{mail.subject} <span className="soft"><Instant at={mail.createdAt} /></span></span>
            </label>
          ))}
        </fieldset>
      )}
      {question && <p className="form-notice" role="alert">{question.text}</p>}
      <p className="card-buttons">
        <button type="submit" className="button button-primary admin-button" aria-disabled={busy}>{busy ? "Correcting..." : question ? "Send anyway" : "Correct and send again"}</button>
        <button type="button" className="button button-outline admin-button" onClick={() => setOpen(false)}>Cancel</button>
      </p>
    </form>
  );
}
