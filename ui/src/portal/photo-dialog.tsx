import { Dialog } from "../kit/dialog";
import { Video } from "../kit/video";
import { photoPath, type Photo } from "./api";

/** Shows a photo as judges see it, with nothing that identifies the competitor. */
export function PhotoDialog({ seenBy, label, photo, onClose }: { seenBy: string; label: string; photo: Photo; onClose: () => void }) {
  return (
    <Dialog eyebrow={seenBy} title={label} onClose={onClose}>
      {photo.kind === "video"
        ? <Video source={photoPath(photo.id, "full")} width={photo.width} height={photo.height} label={label} />
        : <img className="portal-photo" src={photoPath(photo.id, "full")} width={photo.width} height={photo.height} alt={label} />}
      <p className="field-hint">{photo.width} × {photo.height} pixels. The location, camera and all other metadata were removed.</p>
    </Dialog>
  );
}
