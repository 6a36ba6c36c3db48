import { SWRConfig } from "swr";
import { useState } from "react";
import { nonEmpty, object, pipe, string, trim } from "valibot";
import { Failure } from "../../kit/loaded";
import { Divider } from "../../brand/divider";
import { Button } from "../../kit/button";
import { Field, TextField } from "../../kit/field";
import { toast } from "../../kit/toast-store";
import { useBusy } from "../../kit/use-busy";
import { ApiError, detailOf } from "../../lib/api-error";
import { AdminBar } from "./admin-bar";
import { AdminContext } from "./admin-context";
import type { AdminData } from "./admin-data.server";
import { AdminTitle } from "./admin-title";
import { sectionTitle } from "./sections";
import { adminSettings, useSession, signIn } from "./session";
import { SignedIn } from "./signed-in";
import { useValidForm } from "./use-form";

/** The organiser's pages: the sign-in form, then the sections. The server renders them without a session. */
export function Admin({ data }: { data: AdminData }) {
  return (
    <SWRConfig value={adminSettings}>
      <AdminContext value={data}>
        <AdminFrame data={data} />
      </AdminContext>
    </SWRConfig>
  );
}

function AdminFrame({ data }: { data: AdminData }) {
  const { data: session, error, mutate } = useSession();
  const known = session !== undefined && typeof session === "object" ? session : null;
  if (known) return <SignedIn session={known} data={data} />;
  return (
    <div className="admin">
      <AdminBar session={null} />
      <main id="content" className="admin-gate">
        {session === undefined ? (
          <>
            <AdminTitle>{sectionTitle(data.kind ?? data.section)}</AdminTitle>
            {error === undefined
              ? <p className="loading">Checking whether you are signed in…</p>
              : <Failure error={error} onRetry={() => mutate()}>We could not check whether you are signed in.</Failure>}
            <noscript><p>The organiser&rsquo;s pages need JavaScript.</p></noscript>
          </>
        ) : <Gate ended={session === "ended"} />}
      </main>
    </div>
  );
}

const schema = object({ username: pipe(string(), trim()), password: pipe(string(), nonEmpty("Please enter the password.")) });

/** The sign-in form. The server checks the password; the page never knows it. */
function Gate({ ended }: { ended: boolean }) {
  const [shown, setShown] = useState(false);
  const [named, setNamed] = useState(false);
  const { busy, run } = useBusy();
  const { register, handleSubmit, setError, setFocus, formState: { errors } } = useValidForm(schema, { username: "", password: "" });
  const submit = handleSubmit(({ username, password }) => run(async () => {
    try {
      await signIn(password, named ? username : "");
      toast({ title: "Access Granted", message: "Welcome to the admin dashboard." });
    } catch (error) {
      const failure = failureOf(error);
      toast({ ...failure, tone: "destructive" });
      setError("password", { type: "server", message: failure.message });
      setFocus("password", { shouldSelect: true });
    }
  }));
  return (
    <form className="gate" aria-label="Sign in" onSubmit={submit} noValidate>
      <Divider />
      <AdminTitle>Organiser&rsquo;s pages</AdminTitle>
      <p className="soft">
        {ended ? "Your session has ended. Please sign in again to continue where you were." : "Registrations, exports and reports. For the people who run the event."}
      </p>
      {named && <TextField label="Name" autoComplete="username" autoCapitalize="none" spellCheck={false} {...register("username")} />}
      <Field label={named ? "Password" : "Admin password"} error={errors.password?.message}>
        {(control) => (
          <div className="gate-password">
            <input type={shown ? "text" : "password"} autoComplete="current-password" autoCapitalize="none" spellCheck={false} {...control} {...register("password")} />
            <Button look="text" aria-controls={control.id} onClick={() => setShown(!shown)}>{shown ? "Hide" : "Show"}<span className="hidden-text"> password</span></Button>
          </div>
        )}
      </Field>
      <Button type="submit" busy={busy} busyLabel="Checking…">Sign in</Button>
      <p className="gate-other"><Button look="text" onClick={() => setNamed(!named)}>{named ? "Use the shared password" : "Sign in with my own account"}</Button></p>
    </form>
  );
}

function failureOf(error: unknown): { title: string; message: string } {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return { title: "Access Denied", message: "Invalid admin password. Please try again." };
  const message = detailOf(error) ?? "The server did not answer. Please try again.";
  return { title: status === 429 ? "Access Denied" : "Error", message };
}
