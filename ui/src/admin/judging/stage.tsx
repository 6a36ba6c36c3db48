import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { ordinal } from "../../portal/print/score-words";
import { photoUrl, type CeremonyPlace } from "./api";
import type { CeremonyStep } from "./ceremony-steps";

const placeNames: Record<number, string> = { 1: "First place", 2: "Second place", 3: "Third place" };

/** The results on the whole screen, for an audience. One key shows the next step. */
export function Stage({ steps, event, onEnd }: { steps: CeremonyStep[]; event: string; onEnd: () => void }) {
  const stage = useRef<HTMLDialogElement>(null);
  const [at, setAt] = useState(0);
  const step = steps[at];
  useEffect(() => {
    const element = stage.current;
    element?.showModal();
    // The dialog itself takes the focus and the keys, so that the audience sees no focus ring.
    element?.focus();
    // A browser may refuse full screen. The dialog fills the window anyway.
    void element?.requestFullscreen?.().catch(() => {});
    return () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
      element?.close();
    };
  }, []);
  const go = (by: number) => setAt((before) => Math.min(steps.length - 1, Math.max(0, before + by)));
  const onKey = (pressed: KeyboardEvent) => {
    const by = { " ": 1, ArrowRight: 1, ArrowDown: 1, PageDown: 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[pressed.key];
    if (by === undefined) return;
    pressed.preventDefault();
    go(by);
  };
  return (
    // A key or a click anywhere shows the next step. The buttons do the same for assistive technology.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={stage} className="stage dark" aria-label="Ceremony" tabIndex={-1} onKeyDown={onKey} onClick={() => go(1)} onCancel={(cancelled) => { cancelled.preventDefault(); onEnd(); }}>
      <div className="stage-scene" data-shows={step?.shows} key={at} aria-live="polite">{step && <Scene step={step} event={event} />}</div>
      <p className="stage-controls">
        <button type="button" className="text-button" onClick={(pressed) => { pressed.stopPropagation(); go(-1); }}>Back</button>
        <span className="figures">{at + 1} / {steps.length}</span>
        <button type="button" className="text-button" onClick={(pressed) => { pressed.stopPropagation(); go(1); }}>Next</button>
        <button type="button" className="text-button" onClick={(pressed) => { pressed.stopPropagation(); onEnd(); }}>End</button>
      </p>
    </dialog>
  );
}

function Scene({ step, event }: { step: CeremonyStep; event: string }) {
  const { label, award, placed } = step.category;
  switch (step.shows) {
    case "category":
      return <div className="stage-words"><p className="eyebrow">{event}</p><h2>{label}</h2><p className="stage-soft">{award}, {placed} placed</p></div>;
    case "place":
      return <div className="stage-words"><p className="eyebrow">{label}</p><h2><em>{placeNames[step.place] ?? `${ordinal(step.place)} place`}</em></h2></div>;
    case "names":
      return (
        <>
          <div className="stage-words">
            <p className="eyebrow">{label}</p>
            <p className="stage-place">{placeNames[step.place] ?? `${ordinal(step.place)} place`}{step.winners.length > 1 && ", shared"}</p>
            {step.winners.map((winner) => <Winner key={winner.code} winner={winner} />)}
          </div>
          {step.winners.slice(0, 1).map(({ photo, code }) => photo && <img key={code} className="stage-photo" src={photoUrl(photo)} alt="" />)}
        </>
      );
    case "all":
      return (
        <div className="stage-words">
          <p className="eyebrow">{label}</p>
          <ol className="stage-all">
            {[...step.category.places].sort((a, b) => a.place - b.place).map(({ place, code, name, points }) => <li key={code}><span>{ordinal(place)}</span> {name} <span className="figures">{points}</span></li>)}
          </ol>
        </div>
      );
  }
}

function Winner({ winner: { name, businessName, points } }: { winner: CeremonyPlace }) {
  return <><h2>{name}</h2><p className="stage-soft">{businessName && `${businessName}, `}<span className="figures">{points} points</span></p></>;
}
