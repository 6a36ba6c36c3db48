import { useEffect, useRef, useState, type PointerEvent } from "react";
import { Video } from "../../kit/video";
import { photoPath, type JudgePhoto } from "./api";
import type { Zoom } from "./photo-viewer";

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
export function PhotoPane({ code, photo, zoom, isMirrored, position, onMove, onMagnify }: Props) {
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
      <div
        ref={pane} className="pane-scroll" data-zoom={zoom} data-mirrored={isMirrored || undefined} role="region" aria-label={`${code}, ${photo.label}`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
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
