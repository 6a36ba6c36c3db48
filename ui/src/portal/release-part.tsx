import { CheckIcon } from "../kit/icon";
import { Button } from "../kit/button";
import { CopyLink } from "../kit/copy-link";
import { QrCode } from "../kit/qr-code";
import type { Nomination } from "./api";
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

/** The link with which the model signs on another phone. */
function ReleaseLink({ nomination, onCheck }: { nomination: Nomination; onCheck: () => Promise<void> }) {
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
