import { useEffect, useId, useRef, useState } from "react";
import { isMark } from "../../brand/mark-names";
import { layersOf } from "../../brand/marks";
import { saveFile } from "../../lib/download";

interface Event {
  name: string;
  dates: string;
  city: string;
}

interface Entered {
  label: string;
  /** The name of the category's drawing. */
  art: string | undefined;
}

/** The ratio of a post on Instagram: four to five. */
const width = 1080;
const height = 1350;
const margin = 90;
const said = "I'm competing";

/** A picture for each category that was entered, to share or to keep. */
export function SharePictures({ event, entered }: { event: Event; entered: Entered[] }) {
  return (
    <section aria-labelledby="share-title">
      <h2 id="share-title" className="title">Tell your friends and clients</h2>
      <div className="share-pictures">{entered.map((one) => <SharePicture key={one.label} event={event} {...one} />)}</div>
    </section>
  );
}

function SharePicture({ event, label, art }: Entered & { event: Event }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const id = useId();
  const [file, setFile] = useState<File>();
  useEffect(() => {
    let left = false;
    // The picture uses the page's fonts, so it is drawn once they have loaded.
    void document.fonts.ready.then(() => {
      if (left || !canvas.current) return;
      draw(canvas.current, event, label, art);
      canvas.current.toBlob((blob) => !left && blob && setFile(new File([blob], `${fileName(label)}.png`, { type: "image/png" })), "image/png");
    });
    return () => {
      left = true;
    };
  }, [event, label, art]);

  const canShare = file !== undefined && typeof navigator.canShare === "function" && navigator.canShare({ files: [file] });
  return (
    <figure>
      <canvas ref={canvas} width={width} height={height} role="img" aria-label={`${said}: ${label}`} />
      <figcaption id={id}>{said}: {label}</figcaption>
      <p className="buttons">
        {/* Whoever closes the system's dialog has not failed. */}
        {canShare && <button type="button" className="button button-primary" aria-describedby={id} onClick={() => void navigator.share({ files: [file], text: `${said}: ${label}` }).catch(() => {})}>Share the picture</button>}
        <button type="button" className={canShare ? "button button-plain" : "button button-outline"} aria-describedby={id} disabled={!file} onClick={() => file && saveFile(file, file.name)}>Download the picture</button>
      </p>
    </figure>
  );
}

export function fileName(label: string): string {
  return `competing-${label.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}`;
}

function draw(canvas: HTMLCanvasElement, event: Event, label: string, art: string | undefined): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string) => styles.getPropertyValue(`--${name}`).trim();
  const room = width - 2 * margin;
  pen.fillStyle = token("paper");
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = token("paper-deep");
  pen.fillRect(0, 0, width, 760);

  // A drawing measures 240 by 160, and some of its strokes cross its edge.
  pen.save();
  pen.translate(margin, 90);
  pen.scale(room / 240, room / 240);
  for (const [colour, path] of layersOf(isMark(art) ? art : "classic")) {
    pen.fillStyle = token(colour);
    pen.fill(new Path2D(path));
  }
  pen.restore();

  pen.textBaseline = "alphabetic";
  pen.fillStyle = token("rose");
  pen.font = `500 34px ${token("sans")}`;
  pen.letterSpacing = "4px";
  pen.fillText(said.toUpperCase(), margin, 850);
  pen.letterSpacing = "-2px";
  pen.fillStyle = token("ink");
  const below = lines(pen, label.replace(" - ", ": "), room, token("display"));
  pen.letterSpacing = "0px";
  pen.fillStyle = token("gold");
  pen.fillRect(margin, below + 40, 120, 3);
  pen.fillStyle = token("ink");
  pen.font = `400 40px ${token("serif")}`;
  pen.fillText(event.name, margin, 1215, room);
  pen.fillStyle = token("ink-soft");
  pen.font = `400 32px ${token("sans")}`;
  pen.fillText(`${event.dates}, ${event.city}`, margin, 1268, room);
}

/** Sets the words in one large line or in two smaller ones. Returns the height of the last line's baseline. */
function lines(pen: CanvasRenderingContext2D, text: string, room: number, family: string): number {
  for (let size = 150; ; size -= 6) {
    pen.font = `300 ${size}px ${family}`;
    const set = broken(pen, text, room);
    if (set.length > (size > 112 ? 1 : 2) && size > 52) continue;
    set.forEach((line, index) => pen.fillText(line, margin, 858 + size + index * size * 1.02, room));
    return 858 + size + (set.length - 1) * size * 1.02;
  }
}

function broken(pen: CanvasRenderingContext2D, text: string, room: number): string[] {
  const set: string[] = [];
  for (const word of text.split(" ")) {
    const last = set.at(-1);
    if (last !== undefined && pen.measureText(`${last} ${word}`).width <= room) set[set.length - 1] = `${last} ${word}`;
    else set.push(word);
  }
  return set.some((line) => pen.measureText(line).width > room) ? [...set, "", ""] : set;
}
