import { Video } from "../../kit/video";
import { AddressLink } from "../shell/address-link";
import { photoPath, type Nomination, type Slot } from "./api";

export function Photo({ nomination, slot, onZoom }: { nomination: Nomination; slot: Slot; onZoom: () => void }) {
  const { label, required, media } = slot;
  const isAsked = nomination.state === "returned" && nomination.returnedSlots?.includes(slot.key);
  return (
    <figure className="review-photo" data-returned={isAsked || undefined}>
      {media?.kind === "video" && <Video source={photoPath(nomination.id, slot, "full")} width={media.width} height={media.height} label={label} />}
      {media?.kind === "photo" && <button type="button" onClick={onZoom} aria-label={`Zoom: ${label}`}><img src={photoPath(nomination.id, slot, "full")} width={media.width} height={media.height} alt="" loading="lazy" /></button>}
      {!media && <p className="review-empty">{required ? "Missing" : "Optional, not sent"}</p>}
      <figcaption>
        <strong>{label}</strong>{isAsked && " (asked for again)"}
        {media && <span className="row-email figures">{media.width} × {media.height}{media.takenAt && `, taken ${media.takenAt}`}{media.software && `, ${media.software}`}</span>}
        {media?.alike.map(({ nominationId, code, label: where }) => (
          <span key={`${code} ${where}`} className="line">Shows the same as <AddressLink to={{ id: String(nominationId) }} arrives>{code}</AddressLink>, {where}</span>
        ))}
      </figcaption>
    </figure>
  );
}
