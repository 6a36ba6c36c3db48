import { CheckIcon } from "../kit/check-icon";
import type { Nomination } from "./api";
import { ReleaseLink } from "./release-link";
import { SlotCard } from "./slot-card";
import type { Transfer, Uploads } from "./uploads";
import { isToReplace, isUnfinished } from "./words";

interface Props {
  nomination: Nomination;
  /** The upload of a photo of the signed paper. */
  transfer: Transfer | undefined;
  uploads: Uploads;
  onZoom: () => void;
  onReload: () => Promise<void>;
}

/** The model's release: signed on another phone, or on paper. */
export function Release({ nomination, transfer, uploads, onZoom, onReload }: Props) {
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
