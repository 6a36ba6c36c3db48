import { useEffect, useState } from "react";
import type { ReleaseText } from "../lib/answer-types";
import { useSend, Form, FormFailure } from "../kit/form";
import { ApiError } from "../lib/api-error";
import { serverNow } from "../lib/clock";
import { versionDate } from "../lib/dates";
import { Button } from "../kit/button";
import { Checkbox } from "../kit/checkbox";
import { Field, TextField } from "../kit/field";
import { Failure } from "../kit/loaded";
import { Paragraphs } from "../kit/paragraphs";
import { readRelease, signRelease } from "./api";
import { momentInWords } from "./deadline";
import { Title, LoadingText, type PortalData } from "./frame";

type State = { at: "loading" } | { at: "noKey" } | { at: "failed"; error: unknown } | { at: "read"; release: ReleaseText };

/** What the model of an entry reads and signs on another phone. The link's fragment is the release's key. */
export function Release({ data }: { data: PortalData }) {
  const [key, setKey] = useState("");
  const [state, setState] = useState<State>({ at: "loading" });
  const [signedAt, setSignedAt] = useState("");
  const [isChanged, setChanged] = useState(false);
  const load = async (asked: string) => {
    if (asked === "") return setState({ at: "noKey" });
    setState({ at: "loading" });
    try {
      setState({ at: "read", release: await readRelease(asked) });
    } catch (error) {
      setState(error instanceof ApiError && error.status === 404 ? { at: "noKey" } : { at: "failed", error });
    }
  };
  useEffect(() => {
    const follow = () => {
      const asked = location.hash.slice(1);
      setKey(asked);
      void load(asked);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return (
    <div className="portal release frame">
      {state.at === "loading" && (
        <>
          <Title>Model release</Title>
          <LoadingText />
          <noscript><p>The model release needs JavaScript.</p></noscript>
        </>
      )}
      {state.at === "noKey" && <><Title>Model release</Title><p className="lead">This link is not complete. Please scan the code again, or ask the artist for the link.</p></>}
      {state.at === "failed" && <><Title>Model release</Title><Failure error={state.error} onRetry={() => load(key)}>The release could not be loaded.</Failure></>}
      {state.at === "read" && (state.release.signed
        ? <Signed release={state.release} at={signedAt && `${momentInWords(signedAt, data.timeZone)} (${data.timeZoneLabel})`} email={data.email} />
        : (
          <>
            {isChanged && <p className="portal-note" role="alert">The text has changed since you opened it. Please read it again, then sign.</p>}
            <SignForm
              key={state.release.version} secret={key} release={state.release}
              onChanged={() => {
                setChanged(true);
                void load(key);
              }}
              onSigned={(release) => {
                setSignedAt(new Date(serverNow()).toISOString());
                setState({ at: "read", release });
              }}
            />
          </>
        ))}
    </div>
  );
}

function Signed({ release, at, email }: { release: ReleaseText; at: string; email: string }) {
  return (
    <>
      <Title takesFocus={at !== ""}>{at ? "Thank you" : "Already signed"}</Title>
      <p className="lead">{at ? `You signed the release on ${at}. You can close this page.` : "This release is signed. There is nothing more to do."}</p>
      <ReleaseBody release={release} />
      <p>Questions, or do you want to withdraw your consent? Write to <a href={`mailto:${email}`}>{email}</a>.</p>
    </>
  );
}

function ReleaseBody({ release }: { release: ReleaseText }) {
  return (
    <div className="release-text prose">
      <Paragraphs text={release.text} />
      <p className="legal-version">Version of {versionDate(release.version)}</p>
    </div>
  );
}

interface FormProps {
  secret: string;
  release: ReleaseText;
  /** The text has changed since the model read it. */
  onChanged: () => void;
  onSigned: (release: ReleaseText) => void;
}

const empty = { name: "", guardian: "", signature: "" };

function SignForm({ secret, release, onChanged, onSigned }: FormProps) {
  const { busy, errors, failure, send } = useSend({
    fields: ["name", "guardian", "signature", "accepted"], failed: "It could not be sent. Please check your connection and try again.",
    onFailed: (error) => error instanceof ApiError && error.status === 409 && !error.problem.errors && onChanged(),
  });
  const [texts, setTexts] = useState(empty);
  const [adult, setAdult] = useState(true);
  const [accepted, setAccepted] = useState(false);
  const sign = () => send(async () => {
    const { name, guardian, signature } = texts;
    onSigned(await signRelease(secret, { name, adult, ...(adult ? {} : { guardian }), signature, accepted, version: release.version }));
  });
  const text = (name: keyof typeof empty) => ({
    value: texts[name], error: errors[name], maxLength: 200, spellCheck: false,
    onChange: ({ target }: { target: HTMLInputElement }) => setTexts({ ...texts, [name]: target.value }),
  });
  return (
    <>
      <Title>Model release</Title>
      <p className="lead">You are the model in photos for a beauty competition. Please read this, and sign it if you agree.</p>
      <ReleaseBody release={release} />
      <Form className="portal-form" errors={errors} onSend={sign}>
        <TextField label="Your name" autoComplete="name" {...text("name")} />
        <fieldset className="field">
          <legend className="field-label">Your age</legend>
          <label className="tick"><input type="radio" name="age" checked={adult} onChange={() => setAdult(true)} /><span>I am 18 or older</span></label>
          <label className="tick"><input type="radio" name="age" checked={!adult} onChange={() => setAdult(false)} /><span>I am under 18, and my parent or guardian signs</span></label>
        </fieldset>
        {!adult && <TextField label="Name of your parent or guardian" {...text("guardian")} />}
        <Field label="Signature" hint={adult ? "Type your full name." : "Your parent or guardian types their full name."} error={errors.signature}>
          {(control) => <input autoComplete="off" maxLength={200} spellCheck={false} value={texts.signature} onChange={({ target }) => setTexts({ ...texts, signature: target.value })} {...control} className="input signature" />}
        </Field>
        <div className="field" data-invalid={errors.accepted ? true : undefined}>
          {errors.accepted && <p id="accepted-error" className="field-error"><span className="hidden-text">Error: </span>{errors.accepted}</p>}
          <Checkbox label="I have read the text above and agree to it." checked={accepted} aria-invalid={errors.accepted ? true : undefined} aria-describedby={errors.accepted ? "accepted-error" : undefined} onChange={({ target }) => setAccepted(target.checked)} />
        </div>
        <FormFailure>{failure}</FormFailure>
        <Button type="submit" busy={busy} busyLabel="Signing…">Sign the release</Button>
      </Form>
    </>
  );
}
