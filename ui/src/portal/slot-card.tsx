import { useId, type ChangeEvent, type MouseEvent } from "react";
import type { OwnNomination, OwnSlot } from "../lib/answer-types";
import { useSend, FormFailure } from "../kit/form";
import { Button } from "../kit/button";
import { CheckIcon } from "../kit/icon";
import { photoPath, removePhoto } from "./api";
import { SlotDrawing } from "./slot-drawing";
import type { Transfer, Uploads } from "./uploads";
import { isToReplace, isUnfinished, megabytes, reasonOf } from "./words";

interface Props {
  nomination: OwnNomination;
  slot: OwnSlot;
  transfer: Transfer | undefined;
  uploads: Uploads;
  onZoom: () => void;
  onReload: () => Promise<void>;
}

/** The slot of the signed paper. The organiser checks it, and no judge sees it. */
export const paperKey = "release";

/** HEIC is not listed, so that iOS converts such photos to JPEG. */
const accepted = { photo: "image/jpeg,image/png,image/webp", video: "video/mp4,video/quicktime" };

export function SlotCard({ nomination, slot, transfer, uploads, onZoom, onReload }: Props) {
  const id = useId();
  const { key, kind, label, hint, required, media, open } = slot;
  const { busy, failure, send, clear } = useSend({ fields: [], failed: `The ${kind} could not be removed. Please try again.` });
  const isUnderWay = transfer !== undefined && transfer.state !== "failed";
  const isReturned = nomination.state === "returned" && open && (media === null || isToReplace(nomination, slot));
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    // The same file may be chosen again after a failure.
    event.target.value = "";
    clear();
    if (file) void uploads.add({ nomination: nomination.id, slot: key, file, replaces: media?.id ?? null });
  };
  const remove = ({ currentTarget: button }: MouseEvent) => send(async () => {
    await removePhoto(media!.id);
    // The button disappears with the photo.
    button.closest("article")?.focus({ preventScroll: true });
    await onReload();
  });
  return (
    <article className="photo-slot" id={`slot-${key}`} tabIndex={-1} aria-labelledby={`${id}-title`} data-returned={isReturned || undefined}>
      {media
        ? <button type="button" className="slot-picture" onClick={onZoom} aria-label={key === paperKey ? `${label}: view it` : `${label}: see it as the judge does`}><img src={photoPath(media.id, "thumbnail")} alt="" loading="lazy" /></button>
        : <div className="slot-picture slot-empty"><SlotDrawing category={nomination.category} name={key} /></div>}
      <div className="slot-text">
        <h3 id={`${id}-title`}>{label}{!required && key !== paperKey && <span className="optional-mark"> (optional)</span>}</h3>
        {hint && (open || key !== paperKey) && <p className="field-hint">{hint}</p>}
        {isReturned && <p className="slot-reason">{reasonOf(nomination, slot) ?? `Please send this ${kind} again.`}</p>}
        <SlotState slot={slot} transfer={transfer} isUnfinished={isUnfinished(nomination)} isReturned={isReturned} />
        <FormFailure>{failure}</FormFailure>
        {open && (
          <div className="slot-actions">
            {isUnderWay ? <Button look="text" onClick={() => void uploads.cancel(nomination.id, key)} aria-describedby={`${id}-title`}>Cancel</Button> : (
              <>
                <span className="file-button">
                  <input id={`${id}-file`} type="file" accept={accepted[kind]} onChange={choose} aria-label={`${media ? "Replace" : "Choose"} the ${kind}: ${label}`} />
                  <label htmlFor={`${id}-file`} className={media && !isReturned ? "text-button" : "button button-outline"} aria-hidden="true">{media ? "Replace" : `Choose a ${kind}`}</label>
                </span>
                {media && <Button look="text" inactive={busy} onClick={remove} aria-label={`Remove the ${kind}: ${label}`}>Remove</Button>}
              </>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

interface StateProps {
  slot: OwnSlot;
  transfer: Transfer | undefined;
  isUnfinished: boolean;
  isReturned: boolean;
}

/** Screen readers hear each change of the state, but not each change of the amount. */
function SlotState({ slot: { key, kind, media, required }, transfer, isUnfinished, isReturned }: StateProps) {
  if (transfer?.state === "failed") return <p className="field-error" role="alert">{transfer.message}</p>;
  const isUploaded = transfer === undefined && media !== null && !isReturned;
  const uploadedText = key === paperKey ? "Waiting for the organizer to check the paper" : "Uploaded";
  const missing = media !== null ? "To be replaced" : isUnfinished && required ? "Still missing" : "";
  return (
    <div className="slot-state" data-here={isUploaded || undefined}>
      {transfer && <progress className="slot-progress" max={transfer.total || 1} value={transfer.sent} aria-label="Upload" />}
      <p role="status">{isUploaded && key !== paperKey && <CheckIcon />}{transfer ? transferWords[transfer.state].replace("photo…", `${kind}…`) : isUploaded ? uploadedText : missing}</p>
      {isUploaded && kind === "photo" && key !== paperKey && <p className="field-hint">Does it look right?</p>}
      {transfer && <p className="figures soft">{megabytes(transfer.sent)} of {megabytes(transfer.total)}</p>}
    </div>
  );
}

const transferWords: Record<Exclude<Transfer["state"], "failed">, string> = {
  waiting: "Waiting for earlier uploads",
  sending: "Uploading",
  reading: "Everything is sent. We are reading the photo…",
  offline: "No connection. The upload resumes by itself.",
};
