import { useState, useSyncExternalStore } from "react";
import { Failure } from "../../kit/loaded";
import { Title } from "../frame";
import type { Sheet, Value } from "./api";
import { withWaiting } from "./changes";
import { Stepper, Comment, goToInvalidField } from "./sheet-fields";
import { Finish, SecondLook } from "./finish";
import { PhotoViewer } from "./photo-viewer";
import { SavedState } from "./work-list";
import type { ScoringContext } from "./scoring";
import { useSheet, useKeys } from "./sheets";
import { readyText, totalOf } from "./words";

/** One nomination: its photos, and beside them the fields for the judge's points. */
export function SheetPage({ token, context }: { token: string; context: ScoringContext }) {
  const { sheet, error } = useSheet(token, context);
  if (!sheet) {
    const code = context.work.items.find((item) => item.token === token)?.code ?? "";
    return (
      <div className="judge-waiting">
        <Title takesFocus>{code}</Title>
        {error === undefined
          ? <p role="status" className="portal-loading">Loading…</p>
          : <Failure error={error} onRetry={() => void context.sheets.load(token)}>This nomination could not be loaded.</Failure>}
        <p className="portal-back"><button type="button" className="text-button" onClick={() => context.open()}>All nominations</button></p>
      </div>
    );
  }
  return <Scored sheet={sheet} context={context} />;
}

function Scored({ sheet: stored, context }: { sheet: Sheet; context: ScoringContext }) {
  const [second, setSecond] = useState<readonly Value[]>(() => context.sheets.secondLooks.get(stored.token) ?? []);
  const isSecond = stored.state === "second_look";
  const sheet = isSecond ? withWaiting(stored, second) : stored;
  const { token, code, label, state, photos, next, previous } = sheet;
  const ready = useSyncExternalStore(context.sheets.subscribe, () => context.sheets.ready(token), () => 0);
  const isOpen = state === "open" || state === "saved" || isSecond;
  const giveAgain = (value: Value) => {
    const values = [...(context.sheets.secondLooks.get(token) ?? []), value];
    context.sheets.secondLooks.set(token, values);
    setSecond(values);
  };
  const give = (value: Value) => isSecond ? giveAgain(value) : context.changes.add(token, value, sheet.rubricVersion);
  // Points that were typed but not taken would be lost without a word.
  const leaveFor = (place?: string) => { if (!goToInvalidField()) context.open(place); };
  // For the next nomination and the previous one.
  useKeys({ n: next ? () => leaveFor(next) : undefined, p: previous ? () => leaveFor(previous) : undefined });
  const refused = context.sending.refused.get(token)?.message;
  return (
    <>
      <header className="judge-bar">
        <div className="judge-bar-name">
          <Title takesFocus>{code}</Title>
          <p className="soft">{label}</p>
        </div>
        {isSecond && second.length > 0 ? <p role="status" className="judge-saved">Not sent yet: confirm the changed points.</p> : <SavedState sending={context.sending} sheet={token} />}
        <nav className="judge-bar-ways" aria-label="Nominations">
          <button type="button" className="text-button" aria-disabled={previous === null || undefined} onClick={() => previous && leaveFor(previous)}>Previous</button>
          <button type="button" className="text-button" onClick={() => leaveFor()}>All</button>
          <button type="button" className="text-button" aria-disabled={next === null || undefined} onClick={() => next && leaveFor(next)}>Next</button>
        </nav>
      </header>
      {state === "recused"
        ? <p className="judge-note">You do not score this nomination. It is in good hands: a reserve judge scores it, or the points of the others decide.</p>
        : (
          <div className="judge-columns">
            <PhotoViewer sheet={sheet} context={context} photos={photos} />
            <section className="judge-form" aria-label="Your points">
              {state === "confirmed" && <p className="judge-note" role="status">Confirmed. Only the head judge or the organizer can open it again.</p>}
              {isSecond && <p className="judge-note">Your points are far from those of the other judges. Please look at this nomination once more, then keep your points or change them.</p>}
              {refused && <p className="field-error" role="alert">{refused} The sheet now shows what is stored.</p>}
              <ol className="criteria">
                {sheet.criteria.map((criterion) => (
                  <li key={criterion.key} id={`criterion-${criterion.key}`}>
                    <Stepper
                      scale={criterion} label={criterion.label} text={criterion.fullMarks} readOnly={!isOpen}
                      points={sheet.scores.find((score) => score.criterion === criterion.key)?.points}
                      onGive={(points) => give({ criterion: criterion.key, points })}
                    />
                  </li>
                ))}
              </ol>
              <Penalties sheet={sheet} isOpen={isOpen} onGive={give} />
              <Comment value={sheet.comment} readOnly={!isOpen} onGive={(comment) => give({ comment })} />
              <p className="judge-total"><span>Total</span> <strong className="figures">{totalOf(sheet)}</strong> <span className="soft figures">of {sheet.criteria.reduce((sum, { max }) => sum + max, 0)}</span></p>
              {isSecond ? <SecondLook sheet={sheet} values={second} context={context} /> : isOpen && <Finish sheet={sheet} context={context} />}
              {state === "confirmed" && next !== null && <p className="judge-finish"><button type="button" className="button button-primary" onClick={() => context.open(next)}>Next nomination</button></p>}
              {ready > 0 && <p className="field-hint judge-finish">{readyText(ready)}</p>}
            </section>
          </div>
        )}
    </>
  );
}

function Penalties({ sheet: { penalties, penaltyScores, penaltyCap }, isOpen, onGive }: { sheet: Sheet; isOpen: boolean; onGive: (value: Value) => void }) {
  const given = penaltyScores.some(({ points }) => points > 0);
  // Taking the last one back does not close it under the finger.
  const [isOpened, setOpened] = useState(given);
  if (given && !isOpened) setOpened(true);
  if (penalties.length === 0) return null;
  return (
    <details className="judge-penalties" open={isOpened}>
      <summary>Penalties <span className="soft">{given ? "" : "none given"}</span></summary>
      <p className="field-hint">Points that are taken away, at most {penaltyCap} in all. Leave them alone if the rule was kept.</p>
      {penalties.map((penalty) => (
        <Stepper
          key={penalty.key} scale={penalty} label={penalty.label} isPenalty readOnly={!isOpen}
          points={penaltyScores.find((score) => score.penalty === penalty.key)?.points ?? 0}
          onGive={(points) => onGive({ penalty: penalty.key, points })}
        />
      ))}
    </details>
  );
}
