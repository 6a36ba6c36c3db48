import { useState, type MouseEvent } from "react";
import { useSend, FormFailure } from "../../kit/form";
import { ApiError } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { serverNow } from "../../lib/clock";
import { confirmSheet, needsTerms, readSheet, recuse, answerSecondLook, type Sheet, type Change, type Value } from "./api";
import { targetOf } from "./changes";
import { goToInvalidField } from "./sheet-fields";
import type { ScoringContext } from "./scoring";
import { missingOf } from "./words";

/** The buttons that end a sheet: confirm it, or do not score it. */
export function Finish({ sheet, context }: { sheet: Sheet; context: ScoringContext }) {
  const { busy, failure, send, clear } = useSend({
    fields: [], failed: "It could not be confirmed. Please check your connection and try again.",
    onFailed: (error) => {
      if (needsTerms(error)) return context.reload().then(() => true);
      // Another device has changed it since it was read.
      return error instanceof ApiError && error.status === 409 && context.sheets.load(sheet.token);
    },
  });
  const [tried, setTried] = useState(false);
  const [isRecusing, setIsRecusing] = useState(false);
  const missing = missingOf(sheet);
  const confirm = () => {
    setTried(true);
    clear();
    if (goToInvalidField()) return;
    if (missing.length > 0) return goTo(missing[0]!.key);
    send(async () => {
      await context.changes.flush();
      const { waiting, notJudged } = context.changes.shown();
      if (waiting.some((kept) => kept.sheet === sheet.token)) {
        return notJudged.has(sheet.token)
          ? "This nomination is not being judged at the moment. Your points are kept on this device: confirm when it is judged again."
          : "There is no connection. Your points are kept on this device: confirm when it is back.";
      }
      // Changes of another device may have arrived since this one read the sheet.
      const current = await readSheet(sheet.token);
      if (valuesOf(current) !== valuesOf(sheet)) {
        context.sheets.put(current);
        return "This nomination was changed on another device. Look at it here, then confirm.";
      }
      return show(await confirmSheet(current), context);
    });
  };
  return (
    <div className="judge-finish">
      {tried && missing.length > 0 && (
        <div className="error-summary" role="alert">
          <p className="error-summary-title">{missing.length === 1 ? "1 criterion has no points yet" : `${missing.length} criteria have no points yet`}</p>
          <ul>{missing.map(({ key, label }) => <li key={key}><a href={`#criterion-${key}`} onClick={(event) => follow(event, key)}>{label}</a></li>)}</ul>
        </div>
      )}
      <FormFailure>{failure}</FormFailure>
      <Button busy={busy} busyLabel="Confirming…" onClick={confirm}>Confirm</Button>
      <p className="field-hint">After that you cannot change your points.</p>
      <Button look="text" onClick={() => setIsRecusing(true)}>I recognize this work…</Button>
      {isRecusing && <RecuseDialog sheet={sheet} context={context} onClose={() => setIsRecusing(false)} />}
    </div>
  );
}

/** All points and penalties and the comment, to tell whether two sheets are the same. */
function valuesOf({ scores, penaltyScores, comment }: Sheet): string {
  const given = [...scores.map(({ criterion, points }) => `${criterion} ${points}`), ...penaltyScores.filter(({ points }) => points > 0).map(({ penalty, points }) => `-${penalty} ${points}`)];
  return `${given.sort().join()} ${comment}`;
}

function follow(event: MouseEvent, key: string): void {
  event.preventDefault();
  goTo(key);
}

function goTo(key: string): void {
  const place = document.getElementById(`criterion-${key}`);
  place?.scrollIntoView({ block: "center" });
  place?.querySelector("input")?.focus({ preventScroll: true });
}

/** Asks why the judge does not score this nomination. Only the organiser can reverse that. */
function RecuseDialog({ sheet, context, onClose }: { sheet: Sheet; context: ScoringContext; onClose: () => void }) {
  const { busy, errors, failure, send } = useSend({ fields: ["reason"], onFailed: reloadAfter(sheet, context) });
  const [reason, setReason] = useState("");
  const submit = (conflict: boolean) => send(async () => {
    const recused = await recuse(sheet.token, reason.trim(), conflict);
    onClose();
    await show(recused, context);
  }, { reason: reason.trim() === "" && "Please say why" });
  return (
    <Dialog
      small eyebrow={sheet.code} title="You do not score this one" onClose={onClose} closeLabel="Cancel"
      actions={<Button busy={busy} busyLabel="Saving…" onClick={() => submit(true)}>I recognize it</Button>}
    >
      <p>A judge who knows whose work this is does not score it. Your points for it are not counted, and this cannot be undone here.</p>
      <LongTextField label="Why" note="(the organizer reads it)" rows={3} maxLength={500} value={reason} error={errors.reason} onChange={({ target }) => setReason(target.value)} />
      <FormFailure>{failure}</FormFailure>
      <p className="field-hint">You don&rsquo;t know whose it is, but can&rsquo;t score it? <Button look="text" inactive={busy} onClick={() => submit(false)}>Abstain instead</Button></p>
    </Dialog>
  );
}

/** Shows new terms, and reloads a sheet whose state has changed meanwhile, for example on another device. */
function reloadAfter(sheet: Sheet, context: ScoringContext) {
  return (error: unknown) => needsTerms(error)
    ? context.reload().then(() => true)
    : error instanceof ApiError && error.status === 409 && Promise.all([context.sheets.load(sheet.token), context.reload()]);
}

/** Shows a sheet whose state has changed, from its top and with the focus on its title. */
async function show(sheet: Sheet, { sheets, reload }: ScoringContext): Promise<void> {
  sheets.put(sheet);
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector(".judge-form")?.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector("h1")?.focus({ preventScroll: true });
  await reload();
}

/** The request for a second look: the judge keeps the points or changes them. The log has both. */
export function SecondLook({ sheet, values, context }: { sheet: Sheet; values: readonly Value[]; context: ScoringContext }) {
  const { busy, failure, send } = useSend({ fields: [], onFailed: reloadAfter(sheet, context) });
  const [reason, setReason] = useState("");
  const isChanged = values.length > 0;
  const answer = () => goToInvalidField() || send(async () => {
    const why = { askedAt: sheet.secondLookAskedAt, ...(reason.trim() !== "" && { reason: reason.trim() }) };
    const answered = await answerSecondLook(sheet.token, isChanged ? { changes: latestOf(values), ...why } : { keep: true as const, ...why });
    context.sheets.secondLooks.delete(sheet.token);
    await show(answered, context);
  });
  return (
    <div className="judge-finish">
      <LongTextField label="Reason" note="(for the organizer)" rows={2} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
      <FormFailure>{failure}</FormFailure>
      <Button busy={busy} busyLabel="Saving…" onClick={answer}>{isChanged ? "Confirm the changed points" : "Keep my points"}</Button>
    </div>
  );
}

/** The newest value of each criterion and penalty and of the comment, each with an id. */
export function latestOf(values: readonly Value[]): Change[] {
  const last = new Map(values.map((value) => [targetOf(value), value]));
  return [...last.values()].map((value) => ({ id: newIdempotencyKey(), at: new Date(serverNow()).toISOString(), ...value }));
}
