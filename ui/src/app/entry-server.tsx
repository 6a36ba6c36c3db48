import { renderToString } from "react-dom/server.edge";
import { assets } from "virtual:assets";
import { serverPages } from "virtual:pages";
import type { ComponentType, ReactNode } from "react";
import type { PageInput } from "../lib/page";
import { useShell, type Shell } from "../lib/shell-context";
import { pictureOf } from "../brand/pictures/page-pictures";
import { shareImageOf } from "../brand/share-image";
import { islandsIn } from "../kit/island";
import { PageHead } from "../kit/page-head";
import { ActionLink } from "../kit/site-link";
import { documentHtml } from "./document";
import { Footer } from "./footer";
import type { PageDocument, Shown } from "./navigator";
import type { PageName } from "./pages";
import { routes } from "./routes";
import { shellOf } from "./shell-data";
import { Site, SiteContext, still } from "./site";

interface Shared { input: PageInput; shell: Shell; footer: string }

/** What all pages of a run share, since they have the same input. */
let last: Shared & { json: string } | undefined;

function sharedBy(json: string): Shared {
  if (json !== last?.json) {
    const input = JSON.parse(json) as PageInput;
    const shell = shellOf(input);
    const footer = renderPart({ page: "home", path: "/", title: "", shell }, <Footer hasPortal={input.content.portal.open} />);
    last = { json, input, shell, footer };
  }
  return last;
}

/** While the Artist Portal is closed, nothing is judged or nothing is published, there is nothing at the addresses of these pages. */
function isServed(page: PageName, { content, site }: PageInput): boolean {
  const isJudged = content.judging.rubrics.length > 0;
  switch (page) {
    case "artist-portal":
    case "release": return content.portal.open;
    case "score-sheet": return content.portal.open && isJudged;
    case "judge": return isJudged;
    case "results": return site.results.categories.length > 0;
    default: return true;
  }
}

function renderPage(path: string, inputJson: string): string {
  const route = routes.find((candidate) => candidate.path === path);
  if (!route) throw new Error(`no page at ${path}`);
  const { input, shell, footer } = sharedBy(inputJson);
  const { data, head: headOf, ...module } = serverPages[route.page];
  const view = data(input, path);
  const head = headOf(view as never);
  const document: PageDocument = { page: route.page, path, title: head.title, shell };
  const picture = pictureOf(route.page, head.title, shareImageOf(input.content));
  const { shown, failure } = shownPage(document, view, module);
  const modules = [...new Set([...(assets.modules[route.page] ?? assets.client), ...islandsIn(shown.html).flatMap((name) => assets.islands[name] ?? [])])];
  const html = documentHtml({ document: shown.document, head, app: renderToString(<Site source={still(shown)} footer={footer} />), assets, modules, site: input.site, isPublic: route.policy !== "organiser", picture });
  return JSON.stringify({ html, data: { ...shown.document, html: shown.html, style: assets.pageStyles[route.page] }, policy: route.policy, failure });
}

/** The page as the site shows it. One that cannot be rendered says so in its place. */
function shownPage(document: PageDocument, view: unknown, module: { View: ComponentType<{ data: never }>; ownFrame?: boolean }): { shown: Shown; failure?: string } {
  if (module.ownFrame) return { shown: { document: { ...document, view }, html: "", module } };
  const View = module.View as ComponentType<{ data: unknown }>;
  try {
    const html = renderPart(document, <><View data={view} /><PassBand path={document.path} /></>);
    // React writes this for a part whose failure it has kept to itself.
    return { shown: { document, html }, failure: html.includes("<!--$!-->") ? "a part of the page was left out" : undefined };
  } catch (error) {
    return { shown: { document, html: renderPart(document, <NotRendered title={document.title} />) }, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** A part of the site that the browser does not render again; its ids differ from those that the browser makes. */
function renderPart(document: PageDocument, content: ReactNode): string {
  return renderToString(<SiteContext source={still({ document, html: "" })}>{content}</SiteContext>, { identifierPrefix: "page-" });
}

Object.assign(globalThis, {
  routes: (inputJson: string) => JSON.stringify(routes.filter(({ page }) => isServed(page, sharedBy(inputJson).input)).map((route) => route.path)),
  renderPage,
});

/** In place of a page that could not be rendered. */
function NotRendered({ title }: { title: string }) {
  const { email } = useShell();
  return (
    <PageHead title={title}>
      <p className="lead">This page can't be shown at the moment. Please try again later, or write to <a href={`mailto:${email}`}>{email}</a>.</p>
    </PageHead>
  );
}

/** Pages that would otherwise end without saying what the pass costs and where to get it. A page with a form of its own asks for one thing only, so it has no band. */
const pages = new Set([
  "/about", "/competition", "/speakers-judges", "/sponsors", "/venue", "/schedule", "/faq", "/privacy", "/terms",
  "/refund-policy", "/contact",
]);

function PassBand({ path }: { path: string }) {
  const { offer } = useShell();
  if (!offer || !pages.has(path)) return null;
  return (
    <section className="pass-band" aria-label="The pass">
      <div className="frame">
        <p className="lead"><strong>{offer.pass}, <span className="figures">{offer.fee}</span></strong> · both days, one category</p>
        <ActionLink href="/enter-competition">Enter</ActionLink>
      </div>
    </section>
  );
}
