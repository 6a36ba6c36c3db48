import { useState, type ComponentProps } from "react";
import { useSend, Form, FormFailure } from "../kit/form";
import { Button } from "../kit/button";
import { TextField } from "../kit/field";
import { Title } from "./frame";

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
  organiserEmail: string;
  onSignedIn: () => Promise<void>;
}

/** Sign-in in two steps: the email address, then the code from the email. The link in the email needs no code. */
export function SignIn({ access, note, organiserEmail, onSignedIn }: Props) {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState("");
  return sent === ""
    ? <AddressStep access={access} note={note} value={email} onChange={setEmail} onSent={setSent} />
    : <CodeStep access={access} email={sent} organiserEmail={organiserEmail} onSignedIn={onSignedIn} onBack={() => setSent("")} />;
}

interface AddressProps {
  access: Access;
  note: string;
  value: string;
  onChange: (value: string) => void;
  onSent: (email: string) => void;
}

function AddressStep({ access, note, value, onChange, onSent }: AddressProps) {
  const email = value.trim();
  const send = async () => {
    await access.askForLink(email);
    onSent(email);
  };
  return (
    <>
      <Title takesFocus={note !== ""}>{access.title}</Title>
      <p className="lead">{access.lead}</p>
      {note && <p className="portal-note" role="status">{note}</p>}
      <Step
        label="Email address" hint={access.hint} type="email" autoComplete="email" value={value} onChange={({ target }) => onChange(target.value)}
        mistake={!/^\S+@\S+\.\S+$/.test(email) && access.noAddress} onSend={send} failed="Nothing was sent" labels={["Email me a link", "Sending…"]}
      />
    </>
  );
}

interface CodeProps {
  access: Access;
  email: string;
  organiserEmail: string;
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}

function CodeStep({ access, email, organiserEmail, onSignedIn, onBack }: CodeProps) {
  const [code, setCode] = useState("");
  const send = async () => {
    await access.signIn({ email, code });
    await onSignedIn();
  };
  return (
    <>
      <Title takesFocus>Check your email</Title>
      <p className="lead">If <strong>{email}</strong> {access.condition}, an email with a link is on its way. Open the link, or enter the code from the email here.</p>
      <Step
        label="Code" hint="Six digits. It works for ten minutes." inputMode="numeric" autoComplete="one-time-code" data-code=""
        value={code} onChange={({ target }) => setCode(target.value.replace(/\D/g, "").slice(0, 6))}
        mistake={code.length !== 6 && "The code has six digits"} onSend={send} failed="You could not be signed in" labels={["Sign in", "Signing in…"]}
      />
      <p className="portal-aside">No email after a few minutes? Check your spam folder, <button type="button" className="text-button" onClick={onBack}>use another address</button>, or write to <a href={`mailto:${organiserEmail}`}>{organiserEmail}</a>.</p>
    </>
  );
}

interface StepProps extends ComponentProps<typeof TextField> {
  /** What is wrong with the value, which is then not sent. */
  mistake: string | false;
  onSend: () => Promise<void>;
  /** The failure if the server gives no reason; advice to try again follows it. */
  failed: string;
  /** Of the button: at rest, and while it is busy. */
  labels: [string, string];
}

/** A form of one field. A mistake takes the focus to the field; a refusal by the server is an alert. */
function Step({ mistake, onSend, failed, labels, ...field }: StepProps) {
  const { busy, errors, failure, send } = useSend({ fields: ["field"], failed: `${failed}. Please check your connection and try again.` });
  return (
    <Form className="portal-form" errors={errors} onSend={() => send(onSend, { field: mistake })}>
      <TextField {...field} error={errors.field} />
      <FormFailure>{failure}</FormFailure>
      <Button type="submit" busy={busy} busyLabel={labels[1]}>{labels[0]}</Button>
    </Form>
  );
}
