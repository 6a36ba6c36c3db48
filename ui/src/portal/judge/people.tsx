import { useEffect, useState, type FormEvent } from "react";
import { ApiError, detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField } from "../../kit/field";
import { Failure } from "../../kit/loaded";
import { useBusy } from "../../kit/use-busy";
import { Title } from "../frame";
import { declareConflicts, readPeople, type PeopleOfCategory } from "./api";
import type { ScoringContext } from "./scoring";

/** The competitors by name, without their codes. The judge marks those they know, and does not score them. */
export function People({ context }: { context: ScoringContext }) {
  const [categories, setCategories] = useState<PeopleOfCategory[]>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    readPeople().then(setCategories, setError);
  };
  useEffect(load, []);
  return (
    <>
      <p className="portal-back"><button type="button" className="text-button" onClick={() => context.open()}>All nominations</button></p>
      <Title takesFocus>Whom do you know?</Title>
      <p className="lead">Please mark everybody whom you have taught, employed or worked with, or who is close to you. You don&rsquo;t score their work, and you don&rsquo;t learn which it is.</p>
      {error !== undefined && <Failure error={error} onRetry={load}>The names could not be loaded.</Failure>}
      {categories
        ? <Form categories={categories} onDeclared={(next) => { setCategories(next); void context.reload(); }} />
        : error === undefined && <p role="status" className="portal-loading">Loading…</p>}
    </>
  );
}

function Form({ categories, onDeclared }: { categories: PeopleOfCategory[]; onDeclared: (categories: PeopleOfCategory[]) => void }) {
  const { busy, run } = useBusy();
  const [marked, setMarked] = useState<Record<string, boolean>>({});
  const [reason, setReason] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [done, setDone] = useState("");
  const tokens = Object.keys(marked).filter((token) => marked[token]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setDone("");
    const next = { ...(tokens.length === 0 && { tokens: "Please mark at least one name" }), ...(reason.trim() === "" && { reason: "Please say how you know them" }) };
    setErrors(next);
    if (Object.keys(next).length > 0) return;
    void run(async () => {
      try {
        onDeclared(await declareConflicts(tokens, reason.trim()));
        setMarked({});
        setReason("");
        setDone("Thank you. You don\u2019t score their work.");
      } catch (failure) {
        setErrors({ all: detailOf(failure) ?? "Nothing was saved. Please check your connection and try again.", ...(failure instanceof ApiError && failure.problem.errors) });
      }
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      {categories.map(({ label, open, people }) => (
        <fieldset key={label} className="people-of">
          <legend className="portal-part">{label}</legend>
          {!open && <p className="portal-lead">You have scored in this category. If you recognize a work, say so on its page.</p>}
          <div className="ticks-grid">
            {people.map(({ token, name, businessName, declared }) => (
              <Checkbox
                key={token} checked={declared || (marked[token] ?? false)} disabled={declared || !open} onChange={({ target }) => setMarked({ ...marked, [token]: target.checked })}
                label={<>{name}{businessName && <span className="soft">, {businessName}</span>}{declared && <span className="soft">, declared</span>}</>}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div className="portal-form">
        {errors.tokens && <p className="field-error" role="alert">{errors.tokens}</p>}
        {errors.all && <p className="field-error" role="alert">{errors.all}</p>}
        <LongTextField label="How do you know them?" hint="The organizer reads it." rows={3} maxLength={500} value={reason} error={errors.reason} onChange={({ target }) => setReason(target.value)} />
        <Button type="submit" busy={busy} busyLabel="Saving…">Declare</Button>
        <p role="status" className="portal-status">{done}</p>
      </div>
    </form>
  );
}
