import { useEffect, useRef, useState, type MouseEvent } from "react";
import type { OwnNomination } from "../lib/answer-types";
import { useSend, Form, FormFailure } from "../kit/form";
import { ApiError } from "../lib/api-error";
import { Button } from "../kit/button";
import { Checkbox } from "../kit/checkbox";
import { handIn } from "./api";
import { transferKey, type Transfer } from "./uploads";

interface Props {
  nomination: OwnNomination;
  transfers: ReadonlyMap<string, Transfer>;
  onChanged: (nomination: OwnNomination) => void;
}

interface Missing {
  key: string;
  message: string;
}

/** The confirmations and the button. If the server finds something missing, a list of it takes the focus. */
export function HandIn({ nomination, transfers, onChanged }: Props) {
  const [ticked, setTicked] = useState<Record<string, boolean>>({});
  const [missing, setMissing] = useState<Missing[]>([]);
  const { busy, failure, send } = useSend({
    fields: [], failed: "It could not be handed in. Please check your connection and try again.",
    onFailed: (error) => {
      const errors = error instanceof ApiError ? error.problem.errors : undefined;
      if (errors) setMissing(inOrder(nomination, errors));
      return errors !== undefined;
    },
  });
  const box = useRef<HTMLDivElement>(null);

  const left = missing.filter(({ key }) => !isDone(nomination, ticked, transfers, key));

  useEffect(() => {
    if (missing.length === 0) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [missing]);

  const submit = () => send(async () => {
    const underWay = [...nomination.slots, nomination.release.paper].filter(({ key }) => isUnderWay(transfers.get(transferKey(nomination.id, key))));
    setMissing(underWay.map(({ key, label }) => ({ key, message: `The photo "${label}" is still being uploaded` })));
    if (underWay.length > 0) return;
    const ticks = nomination.ticks.filter(({ key }) => ticked[key]).map(({ key }) => [key, true] as const);
    onChanged(await handIn(nomination.id, Object.fromEntries(ticks)));
    scrollTo({ top: 0, behavior: "instant" });
    document.querySelector("h1")?.focus({ preventScroll: true });
  });
  return (
    <section aria-labelledby="hand-in-title">
      <h2 id="hand-in-title" className="portal-part">Hand in</h2>
      {left.length > 0 && (
        <div ref={box} className="error-summary" role="group" tabIndex={-1} aria-labelledby="missing-title">
          <div role="alert">
            <h3 id="missing-title" className="error-summary-title">This is still missing</h3>
            <ul>{left.map(({ key, message }) => <li key={key}><a href={`#${placeOf(nomination, key)}`} onClick={(event) => goToPlace(event, placeOf(nomination, key))}>{message}</a></li>)}</ul>
          </div>
        </div>
      )}
      <Form onSend={submit}>
        <fieldset className="portal-ticks">
          <legend className="field-label">I confirm</legend>
          {nomination.ticks.map(({ key, label }) => (
            <Checkbox key={key} id={`tick-${key}`} label={label} checked={ticked[key] ?? false} onChange={({ target }) => setTicked({ ...ticked, [key]: target.checked })} />
          ))}
        </fieldset>
        <p className="portal-lead">After this you can&rsquo;t change anything unless we ask you for another photo.</p>
        <FormFailure>{failure}</FormFailure>
        <Button type="submit" busy={busy} busyLabel="Handing in…" className="portal-hand-in">Hand in</Button>
      </Form>
    </section>
  );
}

/** Whether something that was missing at the last attempt has been added since. */
function isDone(nomination: OwnNomination, ticked: Record<string, boolean>, transfers: Props["transfers"], key: string): boolean {
  if (nomination.ticks.some((tick) => tick.key === key)) return ticked[key] === true;
  return !nomination.missing.includes(key) && !isUnderWay(transfers.get(transferKey(nomination.id, key)));
}

function isUnderWay(transfer: Transfer | undefined): boolean {
  return transfer !== undefined && transfer.state !== "failed";
}

/** In the page's order: photos, release, confirmations. */
export function inOrder({ slots, ticks }: Pick<OwnNomination, "slots" | "ticks">, errors: Record<string, string>): Missing[] {
  const order = [...slots.map(({ key }) => key), "release", ...ticks.map(({ key }) => key)];
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  return Object.entries(errors).map(([key, message]) => ({ key, message })).sort((a, b) => place(a.key) - place(b.key));
}

function placeOf({ slots }: OwnNomination, key: string): string {
  if (key === "release") return "release";
  return slots.some((slot) => slot.key === key) ? `slot-${key}` : `tick-${key}`;
}

function goToPlace(event: MouseEvent, place: string): void {
  event.preventDefault();
  const element = document.getElementById(place);
  element?.scrollIntoView({ block: "center" });
  // The release has its own ways to be signed before the photo of a paper.
  (place === "release" ? element : element?.querySelector<HTMLElement>("input[type=file]") ?? element)?.focus({ preventScroll: true });
}
