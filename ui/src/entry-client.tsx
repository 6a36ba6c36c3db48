import { hydrateRoot } from "react-dom/client";
import { loadPage } from "./site/load-page";
import { arriveAt, Navigator, type PageDocument } from "./site/navigator";
import { Site } from "./site/site";

const root = document.getElementById("app");
const data = document.getElementById("page-data")?.textContent;

if (root && data) {
  const first = JSON.parse(data) as PageDocument;
  const module = await loadPage(first.page);
  const navigator = new Navigator({ path: first.path, module, document: first });
  hydrateRoot(root, <Site source={navigator} />);
  navigator.start();
  if (location.hash) requestAnimationFrame(() => arriveAt(location.hash));
}
