import { useEffect, useState, type ReactNode } from "react";
import { nonEmpty, object, pipe, string } from "valibot";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { TextField } from "../../kit/field";
import { useBusy } from "../../kit/use-busy";
import { ApiError, detailOf } from "../../lib/api-error";
import { confirmPassword } from "./api";
import { useValidForm } from "./use-form";

interface Question {
  onConfirmed: () => void;
  onFailed: (reason: unknown) => void;
  refusal: ApiError;
}

/** `confirmed` runs a task, and asks for the password first when the server requires it; `prompt` is that dialog. */
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

const schema = object({ password: pipe(string(), nonEmpty("Please enter your password.")) });

function PasswordPrompt({ onConfirmed, onFailed, refusal }: Question) {
  const { busy, run } = useBusy();
  const { register, handleSubmit, setError, setFocus, formState: { errors } } = useValidForm(schema, { password: "" });
  // The dialog opens in a layout effect, which runs before this one.
  useEffect(() => setFocus("password"), [setFocus]);
  const submit = handleSubmit(({ password }) => run(async () => {
    try {
      await confirmPassword(password);
      onConfirmed();
    } catch (error) {
      // The session has ended meanwhile: this says nothing about the password.
      if (error instanceof ApiError && error.status === 401) return onFailed(error);
      setError("password", { type: "server", message: detailOf(error) ?? "The server did not answer. Please try again." });
      setFocus("password", { shouldSelect: true });
    }
  }));
  return (
    <Dialog small title="Please enter your password to continue" closeLabel="Cancel" onClose={() => onFailed(refusal)}>
      <p>You signed in more than ten minutes ago. This requires your password again.</p>
      <form className="password-prompt" onSubmit={submit} noValidate>
        <TextField label="Your password" type="password" autoComplete="current-password" autoCapitalize="none" spellCheck={false} error={errors.password?.message} {...register("password")} />
        <Button type="submit" busy={busy} busyLabel="Checking…">Continue</Button>
      </form>
    </Dialog>
  );
}

/** Runs a task for which the server may require the password first. */
export type Confirmed = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs the task. If the server requires the password, `ask` prompts for it and the task runs again. `ask` rejects with the
 * server's refusal if the prompt is cancelled.
 */
export async function runConfirmed<Result>(task: () => Promise<Result>, ask: (refusal: ApiError) => Promise<void>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== "password_required") throw error;
    await ask(error);
    return task();
  }
}
