import { useState, useEffect, useRef, type PointerEvent } from "react";
import { createPortal } from "react-dom";
import { useWatch } from "react-hook-form";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { Field, TextField } from "../../kit/field";
import { useBusy } from "../../kit/use-busy";
import { detailOf, errorsOf } from "../../lib/api-error";
import { heicAdvice, isHeic } from "../../lib/heic";
import { endsSession } from "../shell/session";
import { addPicture, usePictures, type Picture } from "./api";
import { isTable, textOf, type PictureField, type Value } from "./field-types";
import { useProblem, useValue } from "./field-view";
import { usePage } from "./page-form";
import { join, parentOf } from "./values";
import { cropOf, focusIn, nameFrom, croppedFile, drawCrop, openPicture, type Point } from "./crop";

/** The place of a picture: what is there, another one, or none. */
export function PictureView({ field, path }: { field: PictureField; path: string }) {
  const { control, setValue } = usePage();
  const [value, change] = useValue(path);
  const name = textOf(value);
  const problem = useProblem(path);
  const [isChoosing, setChoosing] = useState(false);
  const [chosen, setChosen] = useState<Picture>();
  const table = useWatch({ control, name: parentOf(path) }) as Value;
  const person = isTable(table) ? textOf(table.name) : "";
  const place = (picture: Picture) => {
    change(picture.name);
    if (field.alt) setValue(join(parentOf(path), field.alt), picture.alt);
    setChosen(picture);
    setChoosing(false);
  };
  const isHere = chosen?.name === name;
  return (
    <fieldset className="site-picture">
      <legend>{field.label}</legend>
      {problem && <p className="field-error">{problem}</p>}
      <div className="site-picture-row">
        {name !== "" && <img className="site-picture-now" src={`/api/content/images/${name}`} alt={isHere ? chosen.alt : person || "The picture that is there now"} />}
        <div className="site-picture-buttons">
          <Button look="outline" aria-haspopup="dialog" onClick={() => setChoosing(true)}>{name === "" ? "Choose a photo…" : "Another photo…"}</Button>
          {name !== "" && <Button look="text" onClick={() => change("")}>Take it away</Button>}
        </div>
      </div>
      {/* Outside the form: Enter in the dialog's field must not save the page. */}
      {isChoosing && createPortal(
        <PictureDialog title={person ? `${field.label} of ${person}` : field.label} shape={field.shape} whole={field.whole} alt={field.alt ? "" : person} onChosen={place} onClose={() => setChoosing(false)} />,
        document.querySelector(".admin") ?? document.body,
      )}
    </fieldset>
  );
}

interface Props {
  title: string;
  shape: readonly [number, number];
  whole?: boolean;
  /** What it is likely to show. */
  alt: string;
  onChosen: (picture: Picture) => void;
  onClose: () => void;
}

const middle: Point = { x: 0.5, y: 0.5 };

/** Chooses a picture for a place: one from this device, cropped to the place's shape, or one that was added before. */
function PictureDialog({ title, shape, whole = false, alt: likely, onChosen, onClose }: Props) {
  const [picture, setPicture] = useState<{ bitmap: ImageBitmap; type: string }>();
  const [point, setPoint] = useState(middle);
  const [zoom, setZoom] = useState(1);
  const [alt, setAlt] = useState(likely);
  const [errors, setErrors] = useState<{ file?: string; alt?: string }>({});
  const { busy, run } = useBusy();

  const open = async (file: File | undefined) => {
    if (!file) return;
    const bitmap = await openPicture(file);
    setErrors(bitmap ? {} : { file: await isHeic(file) ? heicAdvice : "This is not a picture that this browser can read. Please choose a JPEG, PNG or WebP." });
    setPicture(bitmap && { bitmap, type: file.type });
    setPoint(middle);
    setZoom(1);
  };
  const upload = () => run(async () => {
    if (!picture) return setErrors({ file: "Please choose a photo." });
    if (alt.trim() === "") return setErrors({ alt: "Please describe the picture for people who cannot see it." });
    const { bitmap, type } = picture;
    const area = whole ? { left: 0, top: 0, width: bitmap.width, height: bitmap.height } : cropOf(bitmap, shape, point, zoom);
    const file = await croppedFile(bitmap, area, type);
    if (!file) return setErrors({ file: "This browser could not prepare the picture. Please try a smaller one." });
    try {
      onChosen(await addPicture(nameFrom(alt, uniquePart()), alt.trim(), focusIn(area, bitmap, point), file));
    } catch (error) {
      if (endsSession(error)) return;
      const found = errorsOf(error);
      setErrors({ file: found.alt ? undefined : found.name ?? detailOf(error) ?? "The picture could not be sent. Please try again.", alt: found.alt });
    }
  });
  return (
    <Dialog eyebrow="Picture" title={title} closeLabel="Cancel" onClose={onClose} actions={picture && <Button busy={busy} busyLabel="Sending…" onClick={upload}>Use this photo</Button>}>
      <Field label="Photo" hint="JPEG, PNG or WebP; on an iPhone or a Mac also HEIC. Where it was taken is not sent." error={errors.file}>
        {(control) => <input type="file" accept="image/*,.heic,.heif" {...control} onChange={(event) => void open(event.target.files?.[0])} />}
      </Field>
      {picture
        ? (
          <>
            {/* First, because it is required: on a phone the crop fills the rest of the screen. */}
            <TextField label="What the picture shows" hint="Read aloud to people who cannot see it." maxLength={200} value={alt} error={errors.alt} onChange={(event) => setAlt(event.target.value)} />
            {!whole && <Crop bitmap={picture.bitmap} shape={shape} point={point} zoom={zoom} onPoint={setPoint} onZoom={setZoom} />}
          </>
        )
        : <Library onChosen={onChosen} />}
    </Dialog>
  );
}

interface CropProps {
  bitmap: ImageBitmap;
  shape: readonly [number, number];
  point: Point;
  zoom: number;
  onPoint: (point: Point) => void;
  onZoom: (zoom: number) => void;
}

/** The photo with the frame of its place. The focal point stays visible wherever the place is narrower. */
function Crop({ bitmap, shape, point, zoom, onPoint, onZoom }: CropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, bitmap, cropOf(bitmap, shape, point, zoom), point);
  }, [bitmap, shape, point, zoom]);
  const follow = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const within = (value: number) => Math.min(1, Math.max(0, value));
    onPoint({ x: within((event.clientX - box.left) / box.width), y: within((event.clientY - box.top) / box.height) });
  };
  const slider = (label: string, value: number, most: number, change: (value: number) => void, least = 0) => (
    <label className="site-slider"><span>{label}</span><input type="range" min={least} max={most} step={most / 100} value={value} onChange={(event) => change(Number(event.target.value))} /></label>
  );
  return (
    <div className="site-crop">
      <p className="field-hint">Tap what matters most, such as a face. The bright part is shown.</p>
      <canvas
        ref={canvas} aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          follow(event);
        }}
        onPointerMove={follow}
      />
      {slider("From the left", point.x, 1, (x) => onPoint({ ...point, x }))}
      {slider("From the top", point.y, 1, (y) => onPoint({ ...point, y }))}
      {slider("Closer", zoom, 4, onZoom, 1)}
    </div>
  );
}

function Library({ onChosen }: { onChosen: (picture: Picture) => void }) {
  const pictures = usePictures().data?.items ?? [];
  if (pictures.length === 0) return null;
  return (
    <section className="site-library" aria-label="Pictures that were added before">
      <p className="field-label">Or one that was added before</p>
      <ul className="site-thumbs">
        {pictures.map((picture) => (
          <li key={picture.name}><button type="button" onClick={() => onChosen(picture)}><img src={`/api/content/images/${picture.name}`} alt={picture.alt} width={picture.width} height={picture.height} loading="lazy" /></button></li>
        ))}
      </ul>
    </section>
  );
}

function uniquePart(): string {
  return [...crypto.getRandomValues(new Uint8Array(2))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
