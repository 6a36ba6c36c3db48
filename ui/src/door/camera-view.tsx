import { Button } from "../kit/button";
import { useCamera } from "./use-camera";

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
