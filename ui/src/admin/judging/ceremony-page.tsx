import { useEffect, useState } from "react";
import { Button } from "../../kit/button";
import { Loaded } from "../../kit/loaded";
import { AddressLink } from "../shell/address-link";
import { AdminTitle } from "../shell/admin-title";
import { ordinal } from "../../portal/print/score-words";
import { Blockers } from "./blockers";
import { photoUrl, useCeremony, type Ceremony, type CeremonyCategory } from "./api";
import { photosOf, stepsOf, type CeremonyStep } from "./ceremony-steps";
import { Stage } from "./stage";

/** The reveal on a stage, and the running order for whoever speaks. */
export function CeremonyPage() {
  const read = useCeremony();
  return (
    <>
      <p className="way-back"><AddressLink to={{ show: null }} arrives>All categories</AddressLink></p>
      <header className="admin-head"><AdminTitle>Ceremony</AdminTitle></header>
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
      <section className="admin-part running-order" aria-labelledby="order-title">
        <h2 id="order-title">Running order</h2>
        <p className="soft">{ceremony.event.name}, {ceremony.event.date}. Confidential until the ceremony.</p>
        {categories.map((category) => <RunningOrder key={category.path} category={category} />)}
      </section>
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
