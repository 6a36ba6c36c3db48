// Makes a page live once it has been painted. It is whole without script: on a slow line its style and its fonts go
// first, and the rest is asked for when there is something to see.

import { reloadOnce, showFailure } from "../kit/recovery";
import { followTranslation } from "./translation";

const modules = document.querySelectorAll<HTMLLinkElement>("link[rel=module]");
const pressed: HTMLElement[] = [];
let started = false;

/** Records a button that is pressed before the page is hydrated. It is pressed again afterwards. */
function note({ target }: Event): void {
  const button = target instanceof Element && target.closest<HTMLElement>("button");
  if (button) pressed.push(button);
}

async function start(): Promise<void> {
  const [first] = modules;
  if (started || !first) return;
  started = true;
  // All at once: each imports the next only when it has arrived.
  for (const module of modules) module.rel = "modulepreload";
  try {
    await import(first.href);
  } catch {
    if (!(await reloadOnce())) showFailure(document.querySelectorAll("button"));
    return;
  }
  removeEventListener("click", note, true);
  for (const button of pressed) button.click();
}

followTranslation();
addEventListener("click", note, true);

if (PerformanceObserver.supportedEntryTypes.includes("paint")) {
  new PerformanceObserver(() => void start()).observe({ type: "paint", buffered: true });
  // A hidden page is not painted.
  document.addEventListener("visibilitychange", () => void start());
  if (document.visibilityState === "hidden") void start();
  // In case the paint is never reported. Not immediately, because on a fast connection `load` comes before the first paint.
  addEventListener("load", () => setTimeout(() => void start(), 1000));
} else {
  void start();
}
