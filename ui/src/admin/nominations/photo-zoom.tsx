import { useState } from "react";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { photoPath, type Nomination, type Slot } from "./api";

interface Props {
  nomination: Nomination;
  /** Those with a photo. */
  slots: Slot[];
  at: number;
  onShow: (key: string) => void;
  onClose: () => void;
}

/** A photo in the whole window, or pixel by pixel. */
export function PhotoZoom({ nomination, slots, at, onShow, onClose }: Props) {
  const [isActual, setActual] = useState(false);
  const slot = slots[at]!;
  const turn = (by: number) => onShow(slots[(at + by + slots.length) % slots.length]!.key);
  return (
    <Dialog
      eyebrow={`${nomination.code}, ${at + 1} of ${slots.length}`} title={slot.label} onClose={onClose}
      actions={(
        <>
          {slots.length > 1 && <><Button look="outline" onClick={() => turn(-1)}>Previous</Button><Button look="outline" onClick={() => turn(1)}>Next</Button></>}
          <Button look="outline" onClick={() => setActual(!isActual)} aria-pressed={isActual}>Actual size</Button>
        </>
      )}
    >
      <div className="zoomed" data-actual={isActual || undefined}><img src={photoPath(nomination.id, slot, "full")} width={slot.media!.width} height={slot.media!.height} alt={slot.label} /></div>
    </Dialog>
  );
}
