import { useState, type FormEvent } from "react";
import { detailOf } from "../lib/api-error";
import { Button } from "../kit/button";
import { TextField } from "../kit/field";
import { useBusy } from "../kit/use-busy";
import { Title } from "./title";

/** The texts of the sign-in form, and its requests. The Artist Portal and the judges' page each have their own. */
export interface Access {
  title: string;
  lead: string;
  /** The hint of the email field. */
  hint: string;
  /** The error for a missing or malformed address. */
  noAddress: string;
  /** Who gets an email, as the end of "If <address> …": "has an entry". */
  condition: string;
  askForLink: (email: string) => Promise<void>;
  signIn: (proof: { email: string; code: string }) => Promise<void>;
}

interface Props {
  access: Access;
  /** Why the sign-in form is shown again, such as an expired link; empty at the first visit. */
  note: string;
  /** The organiser's email address. */
  email: string;
  onSignedIn: () => Promise<void>;
}

/** Sign-in in two steps: the email address, then the code from the email. The link in the email needs no code. */
export function SignIn({ access, note, email: organiser, onSignedIn }: Props) {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState("");
  return sent === ""
    ? <AddressStep access={access} note={note} value={email} onChange={setEmail} onSent={setSent} />
    : <CodeStep access={access} email={sent} organiser={organiser} onSignedIn={onSignedIn} onBack={() => setSent("")} />;
}

interface AddressProps {
  access: Access;
  note: string;
  value: string;
  onChange: (value: string) => void;
  onSent: (email: string) => void;
}

function AddressStep({ access, note, value, onChange, onSent }: AddressProps) {
  const { busy, run } = useBusy();
  const [error, setError] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    const email = value.trim();
    if (!/^\S+@\S+\.\S+$/.test(email)) return setError(access.noAddress);
    void run(async () => {
      try {
        await access.askForLink(email);
        onSent(email);
      } catch (failure) {
        setError(detailOf(failure) ?? "Nothing was sent. Please check your connection and try again.");
      }
    });
  };
  return (
    <>
      <Title takesFocus={note !== ""}>{access.title}</Title>
      <p className="lead">{access.lead}</p>
      {note && <p className="portal-note" role="status">{note}</p>}
      <form className="portal-form" onSubmit={send} noValidate>
        <TextField
          label="Email address" hint={access.hint} type="email" inputMode="email" autoComplete="email" spellCheck={false} autoCapitalize="none"
          value={value} error={error} onChange={(event) => onChange(event.target.value)}
        />
        <Button type="submit" busy={busy} busyLabel="Sending…">Email me a link</Button>
      </form>
    </>
  );
}

interface CodeProps {
  access: Access;
  email: string;
  organiser: string;
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}

function CodeStep({ access, email, organiser, onSignedIn, onBack }: CodeProps) {
  const { busy, run } = useBusy();
  const [code, setCode] = useState("");
  const [error, setError] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!/^\d{6}$/.test(code)) return setError("The code has six digits");
    void run(async () => {
      try {
        await access.signIn({ email, code });
        await onSignedIn();
      } catch (failure) {
        setError(detailOf(failure) ?? "You could not be signed in. Please check your connection and try again.");
      }
    });
  };
  return (
    <>
      <Title takesFocus>Check your email</Title>
      <p className="lead">If <strong>{email}</strong> {access.condition}, an email with a link is on its way. Open the link, or enter the code from the email here.</p>
      <form className="portal-form" onSubmit={submit} noValidate>
        <TextField
          label="Code" hint="Six digits. It works for ten minutes." inputMode="numeric" autoComplete="one-time-code" maxLength={6} data-code=""
          value={code} error={error} onChange={(event) => setCode(event.target.value.replace(/\D/g, ""))}
        />
        <Button type="submit" busy={busy} busyLabel="Signing in…">Sign in</Button>
      </form>
      <p className="portal-aside">No email after a few minutes? Check your spam folder, <button type="button" className="text-button" onClick={onBack}>use another address</button>, or write to <a href={`mailto:${organiser}`}>{organiser}</a>.</p>
    </>
  );
}
