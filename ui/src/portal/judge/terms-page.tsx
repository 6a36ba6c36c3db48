import { useState, type FormEvent } from "react";
import { detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { Paragraphs } from "../../kit/paragraphs";
import { useBusy } from "../../kit/use-busy";
import { Title } from "../frame";
import { acceptTerms, type Terms } from "./api";

/** What a judge agrees to before the first nomination. */
export function TermsPage({ terms, onAccepted }: { terms: Terms; onAccepted: (terms: Terms) => void }) {
  const { busy, run } = useBusy();
  const [accepted, setAccepted] = useState(false);
  const [error, setError] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!accepted) return setError("Please agree to the terms first");
    void run(async () => {
      try {
        onAccepted(await acceptTerms(terms.version));
      } catch (failure) {
        setError(detailOf(failure) ?? "Nothing was saved. Please check your connection and try again.");
      }
    });
  };
  return (
    <>
      <Title takesFocus>Before you judge</Title>
      <p className="lead">Please read the terms for judges.</p>
      <div className="release-text prose"><Paragraphs text={terms.text} /></div>
      <form className="portal-form" onSubmit={submit} noValidate>
        {error && <p role="alert" className="field-error">{error}</p>}
        <Checkbox label="I have read the terms and agree to them." checked={accepted} onChange={({ target }) => setAccepted(target.checked)} />
        <Button type="submit" busy={busy} busyLabel="Saving…">Start judging</Button>
      </form>
    </>
  );
}
