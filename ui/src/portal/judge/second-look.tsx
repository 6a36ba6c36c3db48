import { useState } from "react";
import { ApiError, detailOf } from "../../lib/api-error";
import { newIdempotencyKey } from "../../lib/idempotency-key";
import { serverNow } from "../../lib/clock";
import { Button } from "../../kit/button";
import { LongTextField } from "../../kit/field";
import { useBusy } from "../../kit/use-busy";
import { answerSecondLook, type Change, type Sheet, type Value } from "./api";
import { goToInvalidField } from "./sheet-fields";
import type { ScoringContext } from "./scoring";
import { showTop } from "./finish";

/** The request for a second look: the judge keeps the points or changes them. The log has both. */
export function SecondLook({ sheet, values, context }: { sheet: Sheet; values: readonly Value[]; context: ScoringContext }) {
  const { busy, run } = useBusy();
  const [reason, setReason] = useState("");
  const [error, setError] = useState("");
  const isChanged = values.length > 0;
  const send = () => goToInvalidField() || void run(async () => {
    try {
      const why = { askedAt: sheet.secondLookAskedAt, ...(reason.trim() !== "" && { reason: reason.trim() }) };
      const answer = isChanged ? { changes: latestOf(values), ...why } : { keep: true as const, ...why };
      context.sheets.put(await answerSecondLook(sheet.token, answer));
      showTop();
      await context.reload();
    } catch (failure) {
      // It is not asked for any more: taken back, or answered before, and the reply was lost.
      if (failure instanceof ApiError && failure.status === 409) await Promise.all([context.sheets.load(sheet.token), context.reload()]);
      const first = failure instanceof ApiError ? Object.values(failure.problem.errors ?? {})[0] : undefined;
      setError(first ?? detailOf(failure) ?? "Nothing was saved. Please check your connection and try again.");
    }
  });
  return (
    <div className="judge-finish">
      <LongTextField label="Reason" note="(for the organizer)" rows={2} maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
      {error && <p role="alert" className="field-error">{error}</p>}
      <Button busy={busy} busyLabel="Saving…" onClick={send}>{isChanged ? "Confirm the changed points" : "Keep my points"}</Button>
    </div>
  );
}

/** The newest value of each criterion and penalty, each with an id. */
export function latestOf(values: readonly Value[]): Change[] {
  const last = new Map<string, Value>();
  for (const value of values) last.set("criterion" in value ? `c ${value.criterion}` : "penalty" in value ? `p ${value.penalty}` : "", value);
  return [...last.values()].map((value) => ({ id: newIdempotencyKey(), at: new Date(serverNow()).toISOString(), ...value }));
}
