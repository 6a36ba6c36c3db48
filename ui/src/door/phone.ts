import type { Verdict } from "../lib/answer-types";

/** Keeps the page and everything it has loaded on the device, so that it opens again without a network. Returns whether it could. */
export async function keepPage(): Promise<boolean> {
  if (!("serviceWorker" in navigator)) return false;
  try {
    await navigator.serviceWorker.register("/door-worker.js", { scope: "/door" });
    const { active } = await navigator.serviceWorker.ready;
    // What the page loaded before the worker was there.
    const assets = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(`${location.origin}/assets/`));
    active?.postMessage("keep the page");
    const cache = await caches.open("door");
    await cache.addAll([...new Set(assets)]);
    return true;
  } catch {
    // Private windows and pages without HTTPS have no workers.
    return false;
  }
}

/** Keeps the screen on while the page is shown. */
export function keepAwake(): () => void {
  const ask = () => void (document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {}));
  ask();
  document.addEventListener("visibilitychange", ask);
  return () => document.removeEventListener("visibilitychange", ask);
}

/** In hertz, one after the other. */
const tones: Record<Verdict, readonly number[]> = {
  welcome: [880, 1320], walk_in: [880, 1320], already: [440, 440], wrong_list: [330, 220], void: [330, 220], unknown: [330, 220],
};
/** In seconds. */
const length = 0.12;

let context: AudioContext | undefined;

/** Browsers play nothing before somebody has pressed something. */
export function allowSound(): void {
  context ??= typeof AudioContext === "undefined" ? undefined : new AudioContext();
  void context?.resume().catch(() => {});
}

export function play(result: Verdict): void {
  navigator.vibrate?.(result === "welcome" || result === "walk_in" ? 80 : [120, 80, 120]);
  if (context?.state !== "running") return;
  for (const [index, tone] of tones[result].entries()) {
    const at = context.currentTime + index * length * 1.2;
    const oscillator = new OscillatorNode(context, { frequency: tone });
    const gain = new GainNode(context, { gain: 0.25 });
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + length);
  }
}
