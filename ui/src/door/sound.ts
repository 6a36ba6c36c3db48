import type { Result } from "./api";

/** In hertz, one after the other. */
const tones: Record<Result, readonly number[]> = {
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

export function play(result: Result): void {
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
