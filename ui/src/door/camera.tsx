import { useCallback, useEffect, useRef, useState, useEffectEvent } from "react";
import decodeQR from "qr/decode.js";
import { Button } from "../kit/button";

type CameraState = "off" | "starting" | "on" | "refused" | "missing";

/** In pixels: enough for a code that fills a sixth of the picture. */
const width = 800;
/** In milliseconds. */
const pause = 60;
/** In milliseconds. A code that was out of view for this long is a new one. */
const goneAfter = 2_000;

/** Reads codes from the camera's picture, each once for as long as it is in view. */
function useCamera(onCode: (text: string) => void) {
  const video = useRef<HTMLVideoElement>(null);
  const tell = useEffectEvent(onCode);
  const [state, setState] = useState<CameraState>("off");
  const [stream, setStream] = useState<MediaStream>();
  const [torch, setTorch] = useState<boolean>();

  const start = useCallback(async () => {
    setState("starting");
    try {
      const found = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } } });
      const [track] = found.getVideoTracks();
      setTorch(track && "torch" in (track.getCapabilities?.() ?? {}) ? false : undefined);
      // A phone takes the camera away for a call.
      track?.addEventListener("ended", () => setState("off"));
      setStream(found);
      setState("on");
    } catch (error) {
      setState(error instanceof DOMException && error.name === "NotAllowedError" ? "refused" : "missing");
    }
  }, []);

  useEffect(() => {
    const element = video.current;
    if (!stream || !element) return;
    element.srcObject = stream;
    void element.play().catch(() => {});
    const stop = readCodes(element, (text) => tell(text));
    return () => {
      stop();
      for (const track of stream.getTracks()) track.stop();
    };
  }, [stream]);

  const switchTorch = useCallback(async () => {
    const next = !torch;
    await stream?.getVideoTracks()[0]?.applyConstraints({ advanced: [{ torch: next } as MediaTrackConstraintSet] });
    setTorch(next);
  }, [stream, torch]);

  return { video, state, start, torch, switchTorch };
}

function readCodes(video: HTMLVideoElement, onCode: (text: string) => void): () => void {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // Two people may hold up theirs at once: the picture then has now one, now the other.
  const seenAt = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout>;
  const read = () => {
    const text = context && video.readyState >= video.HAVE_CURRENT_DATA ? codeIn(video, canvas, context) : undefined;
    if (text !== undefined) {
      const isNew = performance.now() - (seenAt.get(text) ?? -goneAfter) > goneAfter;
      seenAt.set(text, performance.now());
      if (isNew) onCode(text);
    }
    timer = setTimeout(read, pause);
  };
  read();
  return () => clearTimeout(timer);
}

function codeIn(video: HTMLVideoElement, canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): string | undefined {
  canvas.width = Math.min(width, video.videoWidth);
  canvas.height = Math.round(canvas.width * (video.videoHeight / video.videoWidth));
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    // There is no code in this picture, or half of one.
    return undefined;
  }
}

/** The camera's picture, or how to get it. Typing works without it. */
export function CameraView({ onCode, onStart }: { onCode: (text: string) => void; onStart: () => void }) {
  const { video, state, start, torch, switchTorch } = useCamera(onCode);
  const press = () => {
    onStart();
    void start();
  };
  return (
    <section className="door-camera" data-state={state} aria-label="Camera">
      {/* It shows what is in front of the phone, without sound. */}
      <video ref={video} muted playsInline hidden={state !== "on"} />
      {state === "refused" && <p>The camera is not allowed. Press the sign beside the address, allow the camera for this site, and try again. Names and codes can be typed below all the same.</p>}
      {state === "missing" && <p>No camera was found, or another app uses it. Names and codes can be typed below all the same.</p>}
      {state !== "on" && <Button onClick={press} busy={state === "starting"} busyLabel="Starting…">{state === "off" || state === "starting" ? "Start the camera" : "Try again"}</Button>}
      {state === "on" && torch !== undefined && <Button look="outline" className="door-torch" aria-pressed={torch} onClick={() => void switchTorch()}>{torch ? "Light off" : "Light on"}</Button>}
    </section>
  );
}
