import { useState } from "react";
import { photoPath, type JudgePhoto, type Sheet } from "./api";
import { PhotoPane } from "./photo-pane";
import type { ScoringContext } from "./scoring";
import { useSheet } from "./use-sheet";
import { useKeys } from "./use-shortcuts";
import { isOf } from "./words";

const zooms = [1, 2, 4] as const;
export type Zoom = (typeof zooms)[number];

/** The photos of a nomination, one at a time, or one beside the same photo of another nomination. */
export function PhotoViewer({ sheet, context, photos }: { sheet: Sheet; context: ScoringContext; photos: JudgePhoto[] }) {
  const [slot, setSlot] = useState(photos[0]?.slot);
  const [zoom, setZoom] = useState<Zoom>(1);
  const [isMirrored, setMirrored] = useState(false);
  const [beside, setBeside] = useState("");
  const [position, setPosition] = useState({ x: 0.5, y: 0.5 });
  const at = Math.max(0, photos.findIndex((photo) => photo.slot === slot));
  const shown = photos[at];
  const others = context.work.items.filter((item) => isOf(item, sheet) && item.token !== sheet.token && item.state !== "recused");
  const turn = (by: number) => setSlot(photos[(at + by + photos.length) % photos.length]?.slot);
  const magnify = () => setZoom(zooms[(zooms.indexOf(zoom) + 1) % zooms.length]!);
  // A video has its own controls, which would be enlarged and mirrored, too.
  const isPhoto = shown?.kind === "photo";
  const mirror = () => setMirrored(!isMirrored);
  useKeys({ ArrowRight: () => turn(1), ArrowLeft: () => turn(-1), z: isPhoto ? magnify : undefined, m: isPhoto ? mirror : undefined, c: () => setBeside(beside ? "" : others[0]?.token ?? "") });
  if (!shown) return <p className="judge-note">This nomination has no photos.</p>;
  const look = { zoom, isMirrored, position, onMove: setPosition };
  return (
    <section className="viewer" aria-label="Photos">
      <div className="viewer-panes" data-two={beside !== "" || undefined}>
        <PhotoPane code={sheet.code} photo={shown} {...look} onMagnify={magnify} />
        {beside !== "" && <Beside token={beside} slot={shown.slot} context={context} look={look} onMagnify={magnify} />}
      </div>
      <div className="viewer-tools">
        <div className="viewer-buttons">
          <button type="button" className="viewer-button" onClick={() => turn(-1)} aria-label="Previous photo">‹</button>
          <p className="viewer-label" role="status"><strong>{shown.label}</strong> <span className="soft figures">{at + 1} of {photos.length}</span></p>
          <button type="button" className="viewer-button" onClick={() => turn(1)} aria-label="Next photo">›</button>
        </div>
        <div className="viewer-buttons">
          {isPhoto && (
            <>
              <button type="button" className="viewer-button" onClick={magnify} aria-label={`Zoom, now ${zoom} times`}><span className="figures">{zoom}×</span></button>
              <button type="button" className="viewer-button" aria-pressed={isMirrored} onClick={mirror}>Mirror</button>
            </>
          )}
          {others.length > 0 && (
            <div className="select">
              <select className="input" aria-label="Compare with" value={beside} onChange={({ target }) => setBeside(target.value)}>
                <option value="">Compare with…</option>
                {others.map(({ token, code }) => <option key={token} value={token}>{code}</option>)}
              </select>
            </div>
          )}
        </div>
      </div>
      <ul className="viewer-strip" aria-label="All photos">
        {photos.map((photo, index) => (
          <li key={photo.slot}>
            <button type="button" aria-label={photo.label} aria-current={index === at || undefined} onClick={() => setSlot(photo.slot)}>
              <img src={photoPath(photo.token, "thumbnail")} width={photo.width} height={photo.height} alt="" />
            </button>
          </li>
        ))}
      </ul>
      <p className="viewer-keys soft">Keys: ← → photos, {isPhoto && "Z zoom, M mirror, "}C compare, N and P nominations, ↑ ↓ points, Enter next criterion</p>
    </section>
  );
}

interface BesideProps {
  token: string;
  slot: string;
  context: ScoringContext;
  look: Omit<Parameters<typeof PhotoPane>[0], "code" | "photo" | "onMagnify">;
  onMagnify: () => void;
}

/** The same photo of another nomination. */
function Beside({ token, slot, context, look, onMagnify }: BesideProps) {
  const { sheet, error } = useSheet(token, context);
  const photo = sheet?.photos.find((one) => one.slot === slot);
  if (photo && sheet) return <PhotoPane code={sheet.code} photo={photo} {...look} onMagnify={onMagnify} />;
  return <p className="viewer-empty" role="status">{error !== undefined ? "It could not be loaded." : sheet ? `${sheet.code} has no such photo.` : "Loading…"}</p>;
}
