import { renderToString } from "react-dom/server.edge";
import { assets } from "virtual:assets";
import { serverPages } from "virtual:pages";
import type { PageInput } from "../lib/page";
import { shareImageOf } from "../brand/share-image";
import { pictureOf } from "../brand/pictures/page-pictures";
import { documentHtml } from "./document";
import type { PageDocument, Shown } from "./navigator";
import { routes } from "./pages";
import { shellOf } from "./shell-data";
import { Site, still } from "./site";

/** What the last page was made of: it is the same for every page of a run. */
let last = { json: "", input: {} as PageInput };

function inputOf(json: string): PageInput {
  if (json !== last.json) last = { json, input: JSON.parse(json) as PageInput };
  return last.input;
}

function renderPage(path: string, inputJson: string): string {
  const route = routes.find((candidate) => candidate.path === path);
  if (!route) throw new Error(`no page at ${path}`);
  const input = inputOf(inputJson);
  const module = serverPages[route.page];
  const view = module.data(input, path);
  const document: PageDocument = { page: route.page, path, head: module.head(view as never), shell: shellOf(input), view };
  const { app, failure } = rendered({ path, module, document });
  const picture = pictureOf(route.page, document.head.title, shareImageOf(input.content));
  const html = documentHtml({ document, app, assets, site: input.site, picture });
  return JSON.stringify({ html, data: document, policy: route.policy, failure });
}

/** A page that cannot be rendered is left to the browser, which renders it by itself, and is told of. */
function rendered(shown: Shown): { app: string; failure?: string } {
  try {
    const app = renderToString(<Site source={still(shown)} />);
    // React writes this for a part whose failure it has kept to itself.
    return app.includes("<!--$!-->") ? { app, failure: "a part of the page was left out" } : { app };
  } catch (error) {
    return { app: "", failure: error instanceof Error ? error.message : String(error) };
  }
}

Object.assign(globalThis, {
  routes: (_inputJson: string) => JSON.stringify(routes.map((route) => route.path)),
  renderPage,
});
