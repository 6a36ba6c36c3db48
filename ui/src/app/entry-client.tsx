import { createRoot, hydrateRoot } from "react-dom/client";
import { hydrateIslands, hydrationOf, loadIslands } from "./islands";
import { arriveAt, Navigator, type PageDocument } from "./navigator";
import { loadModule } from "./pages";
import { Site } from "./site";

/** Makes the page live that the server sent. */
async function start(): Promise<void> {
  const root = document.getElementById("app");
  const data = document.getElementById("page-data")?.textContent;
  if (!root || !data) return;
  const first = JSON.parse(data) as PageDocument;
  const module = await loadModule(first.page);
  const hydrate = hydrationOf(root);
  const html = document.getElementById("content")?.innerHTML ?? "";
  const navigator = new Navigator({ document: first, html, module });
  const site = <Site source={navigator} footer={document.getElementById("footer")?.innerHTML ?? ""} />;
  // Until this is set, the page says after a while that it has not finished loading (`.stalled`).
  document.documentElement.dataset.live = "";
  // The server leaves a page empty that it could not render.
  if (root.hasChildNodes()) hydrate(() => void hydrateRoot(root, site));
  else createRoot(root).render(site);
  navigator.start({ load: loadIslands, hydrate: () => hydrateIslands(navigator) });
  // Whoever has begun to type stays in that field.
  if (location.hash) requestAnimationFrame(() => document.activeElement === document.body && arriveAt(location.hash));
  // The boot script presses again what was pressed meanwhile. What is missing is dealt with where it is hydrated.
  await loadIslands(html).catch(() => {});
}

// The boot script waits for it.
await start();
