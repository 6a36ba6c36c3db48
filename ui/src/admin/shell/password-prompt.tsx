import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { ApiError, detailOf } from "../../lib/api-error";
import { request } from "../../lib/request";
import { Dialog } from "../../kit/dialog";
import { useBusy } from "../../kit/use-busy";
import { runConfirmed, type Confirmed } from "./confirmed";

interface Question {
  onConfirmed: () => void;
  onFailed: (reason: unknown) => void;
  refusal: ApiError;
}

/** `confirmed` runs a task, and asks for the password where the server wants it first; `prompt` is that dialog. */
export function usePasswordPrompt(): { confirmed: Confirmed; prompt: ReactNode } {
  const [question, setQuestion] = useState<Question>();
  const ask = (refusal: ApiError) => new Promise<void>((resolve, reject) => setQuestion({ onConfirmed: resolve, onFailed: reject, refusal }));
  const confirmed: Confirmed = (task) => runConfirmed(task, async (refusal) => {
    try {
      await ask(refusal);
    } finally {
      setQuestion(undefined);
    }
  });
  return { confirmed, prompt: question && <PasswordPrompt {...question} /> };
}

function PasswordPrompt({ onConfirmed, onFailed, refusal }: Question) {
  const id = useId();
  const { busy, run } = useBusy();
  const [wrong, setWrong] = useState("");
  const input = useRef<HTMLInputElement>(null);
  // The dialog opens in a layout effect, which comes before this one.
  useEffect(() => input.current?.focus(), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password") ?? "");
    setWrong("");
    void run(async () => {
      try {
        await request("/api/admin/session/confirm", { method: "POST", body: { password } });
        onConfirmed();
      } catch (error) {
        // The session has ended meanwhile: that is no matter of this password.
        if (error instanceof ApiError && error.status === 401) return onFailed(error);
        setWrong(detailOf(error) ?? "The server did not answer. Please try again.");
        input.current?.select();
      }
    });
  };

  return (
    <Dialog small title="Please enter your password to continue" closeLabel="Cancel" onClose={() => onFailed(refusal)}>
      <p>You signed in more than ten minutes ago. Changing who has access needs your password again.</p>
      <form className="password-prompt" onSubmit={submit}>
        <label className="field-label" htmlFor={id}>Your password</label>
        <input
          ref={input} id={id} name="password" className="input" type="password" required autoComplete="current-password" autoCapitalize="none" spellCheck={false}
          aria-invalid={wrong ? true : undefined} aria-describedby={`${id}-wrong`}
        />
        <p id={`${id}-wrong`} className="field-error" role="status">{wrong}</p>
        <button type="submit" className="button button-primary admin-button" aria-disabled={busy}>{busy ? "Checking..." : "Continue"}</button>
      </form>
    </Dialog>
  );
}
