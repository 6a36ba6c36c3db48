import { useId, useState, type FormEvent } from "react";
import { ApiError, detailOf } from "../../lib/api-error";
import { Divider } from "../../brand/divider";
import { toast } from "../../kit/toast-store";
import { AdminTitle } from "./admin-title";
import { signIn } from "./session";
import { useBusy } from "../../kit/use-busy";

/** The server decides about the password; the page never knows it. */
export function Gate({ ended }: { ended: boolean }) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const [named, setNamed] = useState(false);
  const { busy, run } = useBusy();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    const password = String(values.get("password") ?? "");
    const username = String(values.get("username") ?? "").trim();
    void run(async () => {
      try {
        await signIn(password, username);
        toast({ title: "Access Granted", message: "Welcome to the admin dashboard." });
      } catch (error) {
        toast({ ...refusal(error), tone: "destructive" });
        form.querySelector("input")?.select();
      }
    });
  };

  return (
    <form className="gate" aria-label="Sign in" onSubmit={submit}>
      <Divider />
      <AdminTitle>Organiser&rsquo;s pages</AdminTitle>
      <p className="soft">
        {ended ? "Your session has ended. Please sign in again to go on where you were." : "Registrations, exports and reports. For the people who run the event."}
      </p>
      {named && (
        <div className="gate-name">
          <label className="field-label" htmlFor={`${id}-name`}>Name</label>
          <input id={`${id}-name`} name="username" className="input" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </div>
      )}
      <label className="field-label" htmlFor={id}>{named ? "Password" : "Admin password"}</label>
      <div className="gate-password">
        <input id={id} name="password" className="input" type={shown ? "text" : "password"} autoComplete="current-password" autoCapitalize="none" spellCheck={false} required />
        <button type="button" className="text-button" aria-controls={id} onClick={() => setShown(!shown)}>
          {shown ? "Hide" : "Show"}<span className="hidden-text"> password</span>
        </button>
      </div>
      <button type="submit" className="button button-primary" aria-disabled={busy}>{busy ? "Checking..." : "Sign in"}</button>
      <p className="gate-other"><button type="button" className="text-button" onClick={() => setNamed(!named)}>{named ? "Use the shared password" : "Sign in with my own account"}</button></p>
    </form>
  );
}

function refusal(error: unknown): { title: string; message: string } {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return { title: "Access Denied", message: "Invalid admin password. Please try again." };
  const message = detailOf(error) ?? "The server did not answer. Please try again.";
  return { title: status === 429 ? "Access Denied" : "Error", message };
}
