import { useEffect, useState, useRef, type KeyboardEvent, type MouseEvent } from "react";
import type { Ceremony, CeremonyCategory, CeremonyPlace } from "../../lib/answer-types";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { ordinal } from "../../portal/print/certificate";
import { SectionHead, Part } from "../shell/parts";
import { Blockers } from "./reason-dialog";
import { photoUrl, useCeremony } from "./api";

/** The reveal on a stage, and the running order for whoever speaks. */
export function CeremonyPage() {
  const read = useCeremony();
  return (
    <>
      <SectionHead back={{ show: null }} backTo="All categories" title="Ceremony" />
      <Loaded
        of={read} loading="Loading the results…" failed="The results could not be loaded." keepsData
        isEmpty={({ categories }) => categories.length === 0} empty={<p className="empty">No category is sealed yet.</p>}
      >
        {(ceremony) => <Prepared ceremony={ceremony} />}
      </Loaded>
    </>
  );
}

function Prepared({ ceremony }: { ceremony: Ceremony }) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  // Of the moment at which it began: what is read meanwhile must not shift the reveal.
  const [steps, setSteps] = useState<CeremonyStep[]>();
  const valid = ceremony.categories.filter(({ blockers }) => blockers.length === 0);
  const photos = usePhotos(photosOf(valid));
  const categories = valid.filter(({ path }) => chosen[path] !== false);
  const isReady = photos.loaded + photos.failed === photos.all;
  const leftOut = ceremony.categories.filter((category) => !valid.includes(category));
  const reasons = leftOut.map(({ path, label, blockers }) => <Blockers key={path} intro={`${label} is left out until it is sealed again:`} blockers={blockers} />);
  if (valid.length === 0 && !steps) return <div className="ceremony-start">{reasons}</div>;
  return (
    <>
      <div className="ceremony-start">
        {reasons}
        <p className="measure">The reveal goes from third to first place. Space, → or a click shows what is next, ← goes back, Esc ends. Once everything is loaded it needs no connection.</p>
        <fieldset className="ticks-row">
          <legend className="field-label">Categories</legend>
          {valid.map(({ path, label }) => (
            <label key={path} className="tick"><input type="checkbox" checked={chosen[path] !== false} onChange={({ target }) => setChosen({ ...chosen, [path]: target.checked })} /><span>{label}</span></label>
          ))}
        </fieldset>
        <p role="status" className="soft figures">{isReady ? `Everything is loaded${photos.failed > 0 ? `, ${photos.failed} without a photo` : ""}. You can go offline.` : `Loading photos: ${photos.loaded} of ${photos.all}`}</p>
        <div className="card-buttons">
          <Button inactive={categories.length === 0} onClick={() => setSteps(stepsOf(categories))}>Start the reveal</Button>
          <Button look="outline" onClick={() => print()}>Print the running order</Button>
        </div>
      </div>
      <Part title="Running order" className="running-order">
        <p className="soft">{ceremony.event.name}, {ceremony.event.date}. Confidential until the ceremony.</p>
        {categories.map((category) => <RunningOrder key={category.path} category={category} />)}
      </Part>
      {steps && <Stage steps={steps} event={ceremony.event.name} onEnd={() => setSteps(undefined)} />}
    </>
  );
}

function RunningOrder({ category: { label, award, places, placed } }: { category: CeremonyCategory }) {
  return (
    <section className="running-category">
      <h3>{label}</h3>
      <p className="soft">{award}, {placed === 1 ? "1 nomination placed" : `${placed} nominations placed`}</p>
      <ol>
        {places.map(({ place, code, name, businessName, points }) => (
          <li key={code}><strong>{ordinal(place)}</strong> <span>{name}{businessName && `, ${businessName}`}</span> <span className="soft figures">{code}, {points}</span></li>
        ))}
      </ol>
    </section>
  );
}

/** Loads the photos as soon as the page opens, so that none is loaded during the ceremony. */
function usePhotos(urls: string[]): { loaded: number; failed: number; all: number } {
  const [counts, setCounts] = useState({ loaded: 0, failed: 0 });
  const key = urls.join("\n");
  useEffect(() => {
    const all = key === "" ? [] : key.split("\n");
    let isLeft = false;
    setCounts({ loaded: 0, failed: 0 });
    const count = (name: "loaded" | "failed") => !isLeft && setCounts((before) => ({ ...before, [name]: before[name] + 1 }));
    const held = all.map((url) => {
      const image = new Image();
      image.onload = () => count("loaded");
      image.onerror = () => count("failed");
      image.src = photoUrl(url);
      return image;
    });
    return () => {
      isLeft = true;
      held.length = 0;
    };
  }, [key]);
  return { ...counts, all: urls.length };
}

const placeNames: Record<number, string> = { 1: "First place", 2: "Second place", 3: "Third place" };

/** The results on the whole screen, for an audience. One key shows the next step. */
function Stage({ steps, event, onEnd }: { steps: CeremonyStep[]; event: string; onEnd: () => void }) {
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
  /** A button that was clicked with the mouse does not keep the keys. */
  const press = (pressed: MouseEvent, task: () => void) => {
    pressed.stopPropagation();
    if (pressed.detail > 0) stage.current?.focus();
    task();
  };
  const go = (by: number) => setAt((before) => Math.min(steps.length - 1, Math.max(0, before + by)));
  const onKey = (pressed: KeyboardEvent) => {
    const by = { " ": 1, ArrowRight: 1, ArrowDown: 1, PageDown: 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[pressed.key];
    const isButtons = pressed.target instanceof HTMLButtonElement && (pressed.key === " " || pressed.key === "Enter");
    if (by === undefined || isButtons) return;
    pressed.preventDefault();
    go(by);
  };
  return (
    // A key or a click anywhere shows the next step. The buttons do the same for assistive technology.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog ref={stage} className="stage dark" aria-label="Ceremony" tabIndex={-1} onKeyDown={onKey} onClick={() => go(1)} onCancel={(cancelled) => { cancelled.preventDefault(); onEnd(); }}>
      <div className="stage-scene" data-shows={step?.shows} key={at} aria-live="polite">{step && <Scene step={step} event={event} />}</div>
      <p className="stage-controls">
        <button type="button" className="text-button" onClick={(pressed) => press(pressed, () => go(-1))}>Back</button>
        <span className="figures">{at + 1} / {steps.length}</span>
        <button type="button" className="text-button" onClick={(pressed) => press(pressed, () => go(1))}>Next</button>
        <button type="button" className="text-button" onClick={(pressed) => press(pressed, onEnd)}>End</button>
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
            {[...step.category.places].sort((a, b) => a.place - b.place).map(({ place, code, name, points }) => <li key={code}><span>{ordinal(place)}</span> {name ?? code} <span className="figures">{points}</span></li>)}
          </ol>
        </div>
      );
  }
}

/** Whose data was erased is announced by the code. */
function Winner({ winner: { name, code, businessName, points } }: { winner: CeremonyPlace }) {
  return <><h2>{name ?? code}</h2><p className="stage-soft">{businessName && `${businessName}, `}<span className="figures">{points} points</span></p></>;
}

type CeremonyStep =
  | { shows: "category"; category: CeremonyCategory }
  /** The place is announced, without its winner. */
  | { shows: "place"; category: CeremonyCategory; place: number }
  | { shows: "names"; category: CeremonyCategory; place: number; winners: CeremonyPlace[] }
  | { shows: "all"; category: CeremonyCategory };

/** What one key press after the other shows: each category from its third place to its first. */
export function stepsOf(categories: readonly CeremonyCategory[]): CeremonyStep[] {
  return categories.flatMap((category): CeremonyStep[] => {
    if (category.places.length === 0) return [];
    const places = [...new Set(category.places.map(({ place }) => place))].sort((a, b) => b - a);
    return [
      { shows: "category", category },
      ...places.flatMap((place): CeremonyStep[] => [
        { shows: "place", category, place },
        { shows: "names", category, place, winners: category.places.filter((one) => one.place === place) },
      ]),
      { shows: "all", category },
    ];
  });
}

/** The pictures that the ceremony shows. */
export function photosOf(categories: readonly CeremonyCategory[]): string[] {
  return categories.flatMap(({ places }) => places.flatMap(({ photo }) => photo ?? []));
}
