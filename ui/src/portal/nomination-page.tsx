import { useEffect, useState, useEffectEvent } from "react";
import type { OwnMedium, OwnNomination, OwnSlot } from "../lib/answer-types";
import { Dialog } from "../kit/dialog";
import { Video } from "../kit/video";
import { CheckIcon } from "../kit/icon";
import { Button } from "../kit/button";
import { CopyLink } from "../kit/copy-link";
import { QrCode } from "../kit/qr-code";
import { photoPath } from "./api";
import { Due } from "./nomination-list";
import { HandIn } from "./hand-in";
import { Title, type PortalData } from "./frame";
import { SlotCard } from "./slot-card";
import { transferKey, type Transfer, type Uploads } from "./uploads";
import { generalReason, isUnfinished, stateExplanations, stateNames, isToReplace } from "./words";

interface Props {
  data: PortalData;
  nomination: OwnNomination;
  uploads: Uploads;
  transfers: ReadonlyMap<string, Transfer>;
  onChanged: (nomination: OwnNomination) => void;
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
  const [zoomed, setZoomed] = useState<OwnSlot>();
  const reason = generalReason(nomination);
  useRefresh(isUnfinished(nomination), () => void onReload(id));
  return (
    <>
      <p className="portal-back"><button type="button" className="text-button" onClick={onBack}>All nominations</button></p>
      <Title takesFocus>{label}</Title>
      <div className="nomination-head" data-state={state}>
        <p className="nomination-state">{stateNames[state]}</p>
        <p className="nomination-code figures">{code} <span className="soft">The judges see this code instead of your name.</span></p>
        {isUnfinished(nomination) && <Due data={data} nomination={nomination} />}
        {stateExplanations[state] && <p>{stateExplanations[state]}</p>}
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
  const ask = useEffectEvent(() => document.visibilityState === "visible" && navigator.onLine && refresh());
  useEffect(() => {
    if (!active) return;
    const onVisible = () => void ask();
    const timer = setInterval(onVisible, askEvery);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [active]);
}

/** Shows a photo as judges see it, with nothing that identifies the competitor. */
function PhotoDialog({ seenBy, label, photo, onClose }: { seenBy: string; label: string; photo: OwnMedium; onClose: () => void }) {
  return (
    <Dialog eyebrow={seenBy} title={label} onClose={onClose}>
      {photo.kind === "video"
        ? <Video source={photoPath(photo.id, "full")} width={photo.width} height={photo.height} label={label} />
        : <img className="portal-photo" src={photoPath(photo.id, "full")} width={photo.width} height={photo.height} alt={label} />}
      <p className="field-hint">{photo.width} × {photo.height} pixels. The location, camera and all other metadata were removed.</p>
    </Dialog>
  );
}

interface ReleasePartProps {
  nomination: OwnNomination;
  /** The upload of a photo of the signed paper. */
  transfer: Transfer | undefined;
  uploads: Uploads;
  onZoom: () => void;
  onReload: () => Promise<void>;
}

/** The model's release: signed on another phone, or on paper. */
export function Release({ nomination, transfer, uploads, onZoom, onReload }: ReleasePartProps) {
  const { signed, paper } = nomination.release;
  const isPending = !signed && (isUnfinished(nomination) || nomination.state === "handed_in");
  const isThere = paper.media !== null && !isToReplace(nomination, paper);
  return (
    <section id="release" tabIndex={-1} aria-labelledby="release-title">
      <h2 id="release-title" className="portal-part">Model release</h2>
      {signed && <p className="slot-state" data-here=""><CheckIcon /> {paper.media ? "Your model has signed on paper, and the organizer has checked it" : "Your model has signed"}</p>}
      {!signed && !isThere && isUnfinished(nomination) && <ReleaseLink nomination={nomination} onCheck={onReload} />}
      {isPending && (paper.open || paper.media) && (
        <SlotCard nomination={nomination} slot={paper} transfer={transfer} uploads={uploads} onZoom={onZoom} onReload={onReload} />
      )}
    </section>
  );
}

/** The link with which the model signs on another phone. */
function ReleaseLink({ nomination, onCheck }: { nomination: OwnNomination; onCheck: () => Promise<void> }) {
  const link = `${location.origin}/release#${nomination.release.key}`;
  const share = () => void navigator.share({ title: "Model release", url: link }).catch(() => {});
  return (
    <>
      <p className="portal-lead">Your model reads and signs it on their own phone. Let them scan the code, or send them the link.</p>
      <div className="release-ways">
        <QrCode text={link} label="QR code with the link to the release" />
        <div>
          <p className="release-link"><a href={link} data-load="full">{link}</a></p>
          <div className="buttons">
            {"share" in navigator && <Button look="outline" onClick={share}>Share the link</Button>}
            <CopyLink link={link} />
          </div>
          <p className="soft">Not signed yet. This page updates by itself. <Button look="text" onClick={() => void onCheck()}>Check now</Button></p>
        </div>
      </div>
    </>
  );
}
