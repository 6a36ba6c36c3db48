import { useId, useState, useEffect, useEffectEvent, type KeyboardEvent } from "react";
import { LongTextField } from "../../kit/field";
import { pointsIn, stepped } from "./words";

interface Props {
  scale: { max: number; step: number };
  label: string;
  /** What the work must show for full marks. */
  text?: string;
  /** The points; undefined if none were given yet. */
  points: number | undefined;
  isPenalty?: boolean;
  readOnly: boolean;
  onGive: (points: number) => void;
}

/** The points of one criterion: two large buttons with a field between them for typing. */
export function Stepper({ scale, label, text, points, isPenalty = false, readOnly, onGive }: Props) {
  const id = useId();
  const [edited, setTyped] = useState<string>();
  // What was typed while the sheet was being confirmed is not given any more.
  const typed = readOnly ? undefined : edited;
  const isWrong = typed !== undefined && typed !== "" && pointsIn(typed, scale) === undefined;
  const give = (next: number) => {
    setTyped(undefined);
    if (next !== points) onGive(next);
  };
  const leave = () => {
    const next = typed === undefined ? undefined : pointsIn(typed, scale);
    if (next !== undefined) give(next);
    else if (readOnly || typed === "") setTyped(undefined);
  };
  useBeforeLeaving(leave);
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (readOnly) return;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      give(stepped(points, event.key === "ArrowUp" ? 1 : -1, scale));
    } else if (event.key === "Enter") {
      leave();
      nextField(event.currentTarget)?.focus();
    }
  };
  const step = (by: 1 | -1) => give(stepped(points, by, scale));
  return (
    <div className="stepper" data-empty={points === undefined || undefined} data-penalty={isPenalty || undefined}>
      <label htmlFor={id} className="stepper-label">{label} <span className="soft figures">{isPenalty ? `up to −${scale.max}` : `of ${scale.max}`}</span></label>
      {text && <p id={`${id}-text`} className="stepper-text">{text}</p>}
      <div className="stepper-row">
        {!readOnly && <button type="button" className="stepper-button" aria-label={`Fewer points: ${label}`} aria-disabled={points === 0 || undefined} onClick={() => step(-1)}><span aria-hidden="true">−</span></button>}
        <input
          id={id} className="stepper-value figures" inputMode="decimal" autoComplete="off" readOnly={readOnly} data-stepper=""
          placeholder="–" value={typed ?? (points === undefined ? "" : String(points))}
          aria-describedby={[text && `${id}-text`, isWrong && `${id}-error`].filter(Boolean).join(" ") || undefined} aria-invalid={isWrong || undefined}
          onFocus={(event) => event.target.select()} onChange={({ target }) => setTyped(target.value)} onBlur={leave} onKeyDown={onKey}
        />
        {!readOnly && <button type="button" className="stepper-button" aria-label={`More points: ${label}`} aria-disabled={points === scale.max || undefined} onClick={() => step(1)}><span aria-hidden="true">+</span></button>}
        {!readOnly && !isPenalty && (
          <input
            className="stepper-slider" type="range" min={0} max={scale.max} step={scale.step} value={points ?? scale.max / 2} aria-label={`Points: ${label}`} tabIndex={-1}
            onChange={({ target }) => give(Number(target.value))}
          />
        )}
      </div>
      {isWrong && <p id={`${id}-error`} className="field-error" role="alert">From 0 to {scale.max}, in steps of {scale.step}</p>}
    </div>
  );
}

/** The field of the next criterion; after the last one, the button that ends the sheet. */
function nextField(field: HTMLInputElement): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("[data-stepper], .judge-form textarea")].filter((one) => one.closest("details:not([open])") === null);
  return all[all.indexOf(field) + 1];
}

/** Runs a task when the page becomes hidden and when the component unmounts. A phone may end a hidden page without another event. */
function useBeforeLeaving(task: () => void): void {
  const latest = useEffectEvent(task);
  useEffect(() => {
    const hide = () => {
      if (document.visibilityState === "hidden") latest();
    };
    document.addEventListener("visibilitychange", hide);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      latest();
    };
  }, []);
}

/** A pause in typing after which the text is saved, in milliseconds. */
const pause = 1_000;

interface CommentProps {
  value: string;
  readOnly: boolean;
  onGive: (comment: string) => void;
}

/** The comment, which the competitor reads without the judge's name. It is saved after a pause in typing, and when the judge leaves the field, the sheet or the app. */
export function Comment({ value, readOnly, onGive }: CommentProps) {
  const [typed, setTyped] = useState<string>();
  const give = () => {
    if (!readOnly && typed !== undefined && typed.trim() !== value) onGive(typed.trim());
  };
  const giveLatest = useEffectEvent(give);
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => giveLatest(), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  useBeforeLeaving(give);
  const leave = () => {
    setTyped(undefined);
    give();
  };
  return (
    <LongTextField
      label="Comment" note="(optional)" hint="The competitor reads it, without your name." rows={3} maxLength={2000} readOnly={readOnly}
      value={readOnly ? value : typed ?? value} onChange={({ target }) => setTyped(target.value)} onBlur={leave}
    />
  );
}

/** Moves the focus to the sheet's first field with a value that was not taken. Returns whether there is one. */
export function goToInvalidField(): boolean {
  const field = document.querySelector<HTMLElement>(".judge-form [data-stepper][aria-invalid]");
  if (!field) return false;
  // Penalties may be folded up.
  field.closest("details")?.setAttribute("open", "");
  field.scrollIntoView({ block: "center" });
  field.focus({ preventScroll: true });
  return true;
}
