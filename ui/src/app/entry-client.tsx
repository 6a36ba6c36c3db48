import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { leaveTypingAlone } from "../forms/submit/waiting";
import { loadPage } from "./pages";
import { arriveAt, Navigator, type PageDocument } from "./navigator";
import { Site } from "./site";

const root = document.getElementById("app");
const data = document.getElementById("page-data")?.textContent;

if (root && data) {
  const first = JSON.parse(data) as PageDocument;
  const module = await loadPage(first.page);
  const navigator = new Navigator({ path: first.path, module, document: first });
  const site = <Site source={navigator} />;
  // Until this is set, the page says after a while that it has not finished loading (`.stalled`).
  document.documentElement.dataset.live = "";
  leaveTypingAlone();
  // The server leaves a page empty that it could not render.
  // As a transition it leaves the browser room to answer between its parts.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, site));
  else createRoot(root).render(site);
  navigator.start();
  if (location.hash) requestAnimationFrame(() => arriveAt(location.hash));
}
