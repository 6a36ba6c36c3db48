import { useState } from "react";
import { useSend, Form, FormFailure } from "../../kit/form";
import { Button } from "../../kit/button";
import { Checkbox } from "../../kit/checkbox";
import { LongTextField } from "../../kit/field";
import { useRead, Loaded } from "../../kit/loaded";
import { Title, LoadingText } from "../frame";
import { declareConflicts, readPeople, type PeopleOfCategory } from "./api";
import type { ScoringContext } from "./scoring";

/** The competitors by name, without their codes. The judge marks those they know, and does not score them. */
export function People({ context }: { context: ScoringContext }) {
  const people = useRead(readPeople);
  return (
    <>
      <p className="portal-back"><button type="button" className="text-button" onClick={() => context.open()}>All nominations</button></p>
      <Title takesFocus>Whom do you know?</Title>
      <p className="lead">Please mark everybody whom you have taught, employed or worked with, or who is close to you. You don&rsquo;t score their work, and you don&rsquo;t learn which it is.</p>
      <Loaded of={people} loading={<LoadingText />} failed="The names could not be loaded." keepsData>
        {(categories) => <ConflictForm categories={categories} onDeclared={(next) => { people.set(next); void context.reload(); }} />}
      </Loaded>
    </>
  );
}

function ConflictForm({ categories, onDeclared }: { categories: PeopleOfCategory[]; onDeclared: (categories: PeopleOfCategory[]) => void }) {
  const { busy, errors, failure, send } = useSend({ fields: ["tokens", "reason"] });
  const [marked, setMarked] = useState<Record<string, boolean>>({});
  const [reason, setReason] = useState("");
  const [done, setDone] = useState("");
  const tokens = Object.keys(marked).filter((token) => marked[token]);
  const declare = () => {
    setDone("");
    send(async () => {
      onDeclared(await declareConflicts(tokens, reason.trim()));
      setMarked({});
      setReason("");
      setDone("Thank you. You don\u2019t score their work.");
    }, { tokens: tokens.length === 0 && "Please mark at least one name", reason: reason.trim() === "" && "Please say how you know them" });
  };
  return (
    <Form errors={errors} onSend={declare}>
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
        <FormFailure>{errors.tokens}</FormFailure>
        <FormFailure>{failure}</FormFailure>
        <LongTextField label="How do you know them?" hint="The organizer reads it." rows={3} maxLength={500} value={reason} error={errors.reason} onChange={({ target }) => setReason(target.value)} />
        <Button type="submit" busy={busy} busyLabel="Saving…">Declare</Button>
        <p role="status" className="portal-status">{done}</p>
      </div>
    </Form>
  );
}
