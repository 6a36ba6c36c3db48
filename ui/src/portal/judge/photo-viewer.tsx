import { SelectBox, Options } from "../../kit/select";
import { useState, useEffect, useRef, type PointerEvent } from "react";
import { Video } from "../../kit/video";
import { photoPath, type JudgePhoto, type Sheet } from "./api";
import type { ScoringContext } from "./scoring";
import { useSheet, useKeys } from "./sheets";
import { isOf } from "./words";

const zooms = [1, 2, 4] as const;
type Zoom = (typeof zooms)[number];

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
  const showNext = (by: number) => setSlot(photos[(at + by + photos.length) % photos.length]?.slot);
  const magnify = () => setZoom(zooms[(zooms.indexOf(zoom) + 1) % zooms.length]!);
  // A video has its own controls, which would be enlarged and mirrored, too.
  const isPhoto = shown?.kind === "photo";
  const mirror = () => setMirrored(!isMirrored);
  useKeys({ ArrowRight: () => showNext(1), ArrowLeft: () => showNext(-1), z: isPhoto ? magnify : undefined, m: isPhoto ? mirror : undefined, c: () => setBeside(beside ? "" : others[0]?.token ?? "") });
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
          <button type="button" className="viewer-button" onClick={() => showNext(-1)} aria-label="Previous photo">‹</button>
          <p className="viewer-label" role="status"><strong>{shown.label}</strong> <span className="soft figures">{at + 1} of {photos.length}</span></p>
          <button type="button" className="viewer-button" onClick={() => showNext(1)} aria-label="Next photo">›</button>
        </div>
        <div className="viewer-buttons">
          {isPhoto && (
            <>
              <button type="button" className="viewer-button" onClick={magnify} aria-label={`Zoom, now ${zoom} times`}><span className="figures">{zoom}×</span></button>
              <button type="button" className="viewer-button" aria-pressed={isMirrored} onClick={mirror}>Mirror</button>
            </>
          )}
          {others.length > 0 && (
            <SelectBox aria-label="Compare with" value={beside} onChange={({ target }) => setBeside(target.value)}>
              <Options options={[{ value: "", label: "Compare with…" }, ...others.map(({ token, code }) => ({ value: token, label: code }))]} />
            </SelectBox>
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

interface Props {
  code: string;
  photo: JudgePhoto;
  zoom: Zoom;
  isMirrored: boolean;
  /** The centre of the visible part, as fractions of the photo, so that two photos side by side show the same part. */
  position: { x: number; y: number };
  onMove: (position: { x: number; y: number }) => void;
  onMagnify: () => void;
}

/** A photo that fits its pane, or is magnified and can be moved by touch, mouse or keyboard. */
function PhotoPane({ code, photo, zoom, isMirrored, position, onMove, onMagnify }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ x: number; y: number; left: number; top: number } | undefined>(undefined);
  const [failed, setFailed] = useState("");
  const source = photoPath(photo.token, "full");
  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const left = position.x * element.scrollWidth - element.clientWidth / 2;
    const top = position.y * element.scrollHeight - element.clientHeight / 2;
    if (Math.abs(element.scrollLeft - left) > 2) element.scrollLeft = left;
    if (Math.abs(element.scrollTop - top) > 2) element.scrollTop = top;
  }, [position, zoom]);
  const report = () => {
    const element = pane.current;
    if (!element || zoom === 1) return;
    onMove({ x: (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth, y: (element.scrollTop + element.clientHeight / 2) / element.scrollHeight });
  };
  const press = (event: PointerEvent<HTMLDivElement>) => {
    // Touch scrolls by itself.
    if (event.pointerType !== "mouse" || zoom === 1 || !pane.current) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = { x: event.clientX, y: event.clientY, left: pane.current.scrollLeft, top: pane.current.scrollTop };
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const from = dragged.current;
    if (!from || !pane.current) return;
    pane.current.scrollLeft = from.left - (event.clientX - from.x);
    pane.current.scrollTop = from.top - (event.clientY - from.y);
  };
  const release = () => {
    dragged.current = undefined;
  };
  if (photo.kind === "video") {
    return (
      <figure className="pane">
        <Video source={source} width={photo.width} height={photo.height} label={`${code}, ${photo.label}`} />
      </figure>
    );
  }
  return (
    <figure className="pane">
      {/* A magnified photo must scroll by keyboard, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={pane} className="pane-scroll" data-zoom={zoom} data-mirrored={isMirrored || undefined} role="region" aria-label={`${code}, ${photo.label}`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // The arrows move the magnified photo, and not to the next one.
        onKeyDown={(pressed) => zoom > 1 && pressed.key.startsWith("Arrow") && pressed.stopPropagation()}
        onScroll={report} onDoubleClick={onMagnify} onPointerDown={press} onPointerMove={move} onPointerUp={release} onPointerCancel={release}
      >
        {failed === source
          ? <p className="viewer-empty" role="alert">This photo could not be loaded. <button type="button" className="text-button" onClick={() => setFailed("")}>Try again</button></p>
          : <img src={source} width={photo.width} height={photo.height} alt={`${code}, ${photo.label}`} draggable={false} onError={() => setFailed(source)} />}
      </div>
      <figcaption className="figures">{code}{isMirrored && ", mirrored"}</figcaption>
    </figure>
  );
}
