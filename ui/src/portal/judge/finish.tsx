import { useState, type MouseEvent } from "react";
import { ApiError, detailOf } from "../../lib/api-error";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { LongTextField } from "../../kit/field";
import { useBusy } from "../../kit/use-busy";
import { confirmSheet, needsTerms, recuse, type Sheet } from "./api";
import { goToInvalidField } from "./sheet-fields";
import type { ScoringContext } from "./scoring";
import { missingOf } from "./words";

/** The buttons that end a sheet: confirm it, or do not score it. */
export function Finish({ sheet, context }: { sheet: Sheet; context: ScoringContext }) {
  const { busy, run } = useBusy();
  const [error, setError] = useState("");
  const [tried, setTried] = useState(false);
  const [stepsAside, setStepsAside] = useState(false);
  const missing = missingOf(sheet);
  const confirm = () => {
    setTried(true);
    setError("");
    if (goToInvalidField()) return;
    if (missing.length > 0) return goTo(missing[0]!.key);
    void run(async () => {
      try {
        await context.changes.flush();
        const { waiting, notJudged } = context.changes.shown();
        if (waiting.some((kept) => kept.sheet === sheet.token)) {
          return setError(notJudged.has(sheet.token)
            ? "This nomination is not being judged at the moment. Your points are kept on this device: confirm when it is judged again."
            : "There is no connection. Your points are kept on this device: confirm when it is back.");
        }
        context.sheets.put(await confirmSheet(sheet.token));
        showTop();
        await context.reload();
      } catch (failure) {
        if (needsTerms(failure)) return context.reload();
        const first = failure instanceof ApiError ? Object.values(failure.problem.errors ?? {})[0] : undefined;
        setError(first ?? detailOf(failure) ?? "It could not be confirmed. Please check your connection and try again.");
      }
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
      {error && <p role="alert" className="field-error">{error}</p>}
      <Button busy={busy} busyLabel="Confirming…" onClick={confirm}>Confirm</Button>
      <p className="field-hint">After that you cannot change your points.</p>
      <Button look="text" onClick={() => setStepsAside(true)}>I recognize this work…</Button>
      {stepsAside && <StepAside sheet={sheet} context={context} onClose={() => setStepsAside(false)} />}
    </div>
  );
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
function StepAside({ sheet, context, onClose }: { sheet: Sheet; context: ScoringContext; onClose: () => void }) {
  const { busy, run } = useBusy();
  const [reason, setReason] = useState("");
  const [error, setError] = useState("");
  const send = (conflict: boolean) => {
    if (reason.trim() === "") return setError("Please say why");
    void run(async () => {
      try {
        const recused = await recuse(sheet.token, reason.trim(), conflict);
        onClose();
        context.sheets.put(recused);
        showTop();
        await context.reload();
      } catch (failure) {
        setError(detailOf(failure) ?? "Nothing was saved. Please check your connection and try again.");
      }
    });
  };
  return (
    <Dialog
      small eyebrow={sheet.code} title="You do not score this one" onClose={onClose} closeLabel="Cancel"
      actions={<Button busy={busy} busyLabel="Saving…" onClick={() => send(true)}>I recognize it</Button>}
    >
      <p>A judge who knows whose work this is does not score it. Your points for it are not counted, and this cannot be undone here.</p>
      <LongTextField label="Why" note="(the organizer reads it)" rows={3} maxLength={500} value={reason} error={error} onChange={({ target }) => setReason(target.value)} />
      <p className="field-hint">You don&rsquo;t know whose it is, but can&rsquo;t score it? <Button look="text" inactive={busy} onClick={() => send(false)}>Abstain instead</Button></p>
    </Dialog>
  );
}

/** Scrolls to the top and moves the focus to the title, after a sheet's state has changed. */
export function showTop(): void {
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector(".judge-form")?.scrollTo({ top: 0, behavior: "instant" });
  document.querySelector("h1")?.focus({ preventScroll: true });
}
