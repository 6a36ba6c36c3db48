// Makes a page live once it has been painted. It is whole without script: on a slow line its style and its fonts go
// first, and the rest is asked for when there is something to see.

const modules = document.querySelectorAll<HTMLLinkElement>("link[rel=module]");
let started = false;

function start(): void {
  if (started) return;
  started = true;
  // All at once: each imports the next only when it has arrived.
  for (const module of modules) module.rel = "modulepreload";
  const [first] = modules;
  if (first) void import(first.href);
}

if (PerformanceObserver.supportedEntryTypes.includes("paint")) {
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
  // What is not looked at is not painted.
  document.addEventListener("visibilitychange", start);
  if (document.readyState === "complete" || document.visibilityState === "hidden") start();
  else addEventListener("load", start);
} else {
  start();
}
