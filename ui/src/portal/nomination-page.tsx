import { useEffect, useState } from "react";
import { Dialog } from "../kit/dialog";
import { Video } from "../kit/video";
import { photoPath, type Nomination, type Slot, type Photo } from "./api";
import { Due } from "./due";
import { HandIn } from "./hand-in";
import type { PortalData } from "./portal-data";
import { Release } from "./release-part";
import { SlotCard } from "./slot-card";
import { Title } from "./frame";
import { transferKey, type Transfer, type Uploads } from "./uploads";
import { generalReason, isUnfinished, stateExplanation, stateName } from "./words";

interface Props {
  data: PortalData;
  nomination: Nomination;
  uploads: Uploads;
  transfers: ReadonlyMap<string, Transfer>;
  onChanged: (nomination: Nomination) => void;
  onReload: (id: number) => Promise<void>;
  onBack: () => void;
}

/**
 * The interval between two reloads of an unfinished nomination, in milliseconds. The model may have signed, or a photo may have
 * been stored or removed although its reply was lost.
 */
const askEvery = 10_000;

export function NominationPage({ data, nomination, uploads, transfers, onChanged, onReload, onBack }: Props) {
  const { id, code, label, state, slots, release, canHandIn } = nomination;
  const [zoomed, setZoomed] = useState<Slot>();
  const reason = generalReason(nomination);
  useRefresh(isUnfinished(nomination), () => void onReload(id));
  return (
    <>
      <p className="portal-back"><button type="button" className="text-button" onClick={onBack}>All nominations</button></p>
      <Title takesFocus>{label}</Title>
      <div className="nomination-head" data-state={state}>
        <p className="nomination-state">{stateName(state)}</p>
        <p className="nomination-code figures">{code} <span className="soft">The judges see this code instead of your name.</span></p>
        {isUnfinished(nomination) && <Due data={data} nomination={nomination} />}
        {stateExplanation(state) && <p>{stateExplanation(state)}</p>}
        {reason && <p className="nomination-reason">{reason}</p>}
      </div>
      <section aria-labelledby="photos-title">
        <h2 id="photos-title" className="portal-part">Photos</h2>
        {slots.some(({ open }) => open) && <p className="portal-lead">No name, logo or watermark, no filter. Each photo is uploaded as soon as you choose it, and resumes by itself if the connection breaks.</p>}
        <ul className="slots">
          {slots.map((slot) => (
            <li key={slot.key}>
              <SlotCard nomination={nomination} slot={slot} transfer={transfers.get(transferKey(id, slot.key))} uploads={uploads} onZoom={() => setZoomed(slot)} onReload={() => onReload(id)} />
            </li>
          ))}
        </ul>
      </section>
      <Release nomination={nomination} transfer={transfers.get(transferKey(id, release.paper.key))} uploads={uploads} onZoom={() => setZoomed(release.paper)} onReload={() => onReload(id)} />
      {canHandIn && <HandIn nomination={nomination} transfers={transfers} onChanged={onChanged} />}
      {zoomed?.media && <PhotoDialog seenBy={zoomed.key === release.paper.key ? "Only the organizer sees it" : `As the judge sees it: ${code}`} label={zoomed.label} photo={zoomed.media} onClose={() => setZoomed(undefined)} />}
    </>
  );
}

/** Reloads at intervals while the page is visible, and when somebody returns to it. */
function useRefresh(active: boolean, refresh: () => void): void {
  const [latest] = useState(() => ({ refresh }));
  useEffect(() => {
    latest.refresh = refresh;
  });
  useEffect(() => {
    if (!active) return;
    const ask = () => document.visibilityState === "visible" && navigator.onLine && latest.refresh();
    const timer = setInterval(ask, askEvery);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [active, latest]);
}

/** Shows a photo as judges see it, with nothing that identifies the competitor. */
function PhotoDialog({ seenBy, label, photo, onClose }: { seenBy: string; label: string; photo: Photo; onClose: () => void }) {
  return (
    <Dialog eyebrow={seenBy} title={label} onClose={onClose}>
      {photo.kind === "video"
        ? <Video source={photoPath(photo.id, "full")} width={photo.width} height={photo.height} label={label} />
        : <img className="portal-photo" src={photoPath(photo.id, "full")} width={photo.width} height={photo.height} alt={label} />}
      <p className="field-hint">{photo.width} × {photo.height} pixels. The location, camera and all other metadata were removed.</p>
    </Dialog>
  );
}
