/** Keeps the page and everything it has loaded on the device, so that it opens again without a network. */
export async function keepPage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/door-worker.js", { scope: "/door" });
    await navigator.serviceWorker.ready;
    // What the page loaded before the worker was there.
    const assets = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(`${location.origin}/assets/`));
    const cache = await caches.open("door");
    await cache.addAll([location.pathname, ...new Set(assets)]);
  } catch {
    // Private windows and pages without HTTPS have no workers: the page then opens with a network only.
  }
}

/** Keeps the screen on while the page is shown. */
export function keepAwake(): () => void {
  const ask = () => void (document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {}));
  ask();
  document.addEventListener("visibilitychange", ask);
  return () => document.removeEventListener("visibilitychange", ask);
}
