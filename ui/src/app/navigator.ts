import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import type { PageModule } from "../lib/page";
import type { Shell } from "../lib/shell-context";
import { findRoute, loadModule, type PageName, type Policy } from "./pages";

/** A page's data, which the server writes into its HTML and serves as `/page-data/<path>.json`. */
export interface PageDocument {
  page: PageName;
  path: string;
  title: string;
  shell: Shell;
  /** The HTML of `main`. Absent in the first document, which has it in place. */
  html?: string;
  /** The address of its own style sheet, if it has one. Absent in the first document, which links it. */
  style?: string;
  /** The data of a page that the browser renders itself. */
  view?: unknown;
}

export interface Shown {
  document: PageDocument;
  html: string;
  /** The code of a page that the browser renders itself. */
  module?: PageModule;
}

/** The functions that load and hydrate a page's islands. */
export interface Islands {
  load: (html: string) => Promise<void>;
  /** Hydrates the islands of the page. Returns a function that unmounts them. */
  hydrate: () => () => void;
}

interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
}

type Listener = () => void;

/**
 * Shows one page at a time, and is the only one that writes to the browser's history. A new page is shown when its HTML
 * and the code of its islands are both here; until then the old one stays. Anything unexpected becomes a plain full page
 * load.
 */
export class Navigator {
  #shown: Shown;
  #islands: Islands | undefined;
  #endIslands = () => {};
  #listeners = new Set<Listener>();
  #latest = 0;
  readonly #policy: Policy;

  constructor(first: Shown) {
    this.#shown = first;
    this.#policy = findRoute(first.document.path)?.policy ?? "site";
  }

  subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  shown = (): Shown => this.#shown;

  /** The location hook of wouter's router. */
  readonly useLocation = locationHookOf(this);

  /** To another page, or to other parameters or another state of the same one, which loads nothing. */
  navigate = (to: string, { replace = false, state = null }: NavigateOptions = {}): void => {
    const target = new URL(to, location.href);
    const commit = () => history[replace ? "replaceState" : "pushState"](state, "", target);
    const isSamePage = target.origin === location.origin && target.pathname === location.pathname;
    if (isSamePage && (target.hash || target.search !== location.search || replace || state !== null)) {
      commit();
      if (target.hash) arriveAt(target.hash);
      return;
    }
    void this.#go(target, commit);
  };

  /** Follows links and the back and forward buttons, and keeps the scroll position of each entry of the history. */
  start(islands: Islands): void {
    this.#islands = islands;
    this.#endIslands = islands.hydrate();
    document.addEventListener("click", this.#follow);
    history.scrollRestoration = "manual";
    addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
    addEventListener("pageshow", () => (history.scrollRestoration = "manual"));
    let timer: ReturnType<typeof setTimeout> | undefined;
    addEventListener("scroll", () => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState({ ...(history.state as object | null), scroll: scrollY }, ""), 120);
    }, { passive: true });
    addEventListener("popstate", (event) => {
      const scroll = (event.state as { scroll?: number } | null)?.scroll;
      const target = new URL(location.href);
      if (target.pathname === this.#shown.document.path) return arriveAt(target.hash, scroll);
      void this.#go(target, () => {}, scroll);
    });
  }

  /** A plain press of a link within the site; the browser follows every other one itself. */
  #follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute("download") || link.dataset.load === "full" || link.getAttribute("href")!.startsWith("#")) return;
    const target = new URL(link.href);
    if (target.origin !== location.origin || findRoute(target.pathname)?.policy !== this.#policy) return;
    event.preventDefault();
    this.navigate(link.href);
  };

  async #go(target: URL, commit: () => void, scroll?: number): Promise<void> {
    const route = findRoute(target.pathname);
    // After a failure the next page comes whole, with the script of the current build.
    const isBroken = "failed" in document.documentElement.dataset;
    // A document keeps the content policy it was loaded with, so a page with another policy needs a new document.
    if (isBroken || !route || route.policy !== this.#policy || target.origin !== location.origin) return location.assign(target);
    const visit = ++this.#latest;
    const root = document.documentElement;
    root.setAttribute("data-loading", "");
    try {
      const [module, { html = "", style, ...data }] = await Promise.all([loadModule(route.page), fetchPageDocument(route.path)]);
      await Promise.all([this.#islands?.load(html), loadStyle(style), module?.ready?.()]);
      if (visit !== this.#latest) return;
      commit();
      applyStyle(style);
      this.#endIslands();
      this.#shown = { document: data, html, module };
      flushSync(() => this.#listeners.forEach((listener) => listener()));
      document.title = data.title;
      this.#endIslands = this.#islands?.hydrate() ?? (() => {});
      arriveAt(target.hash, scroll);
    } catch {
      if (visit === this.#latest) location.assign(target);
    } finally {
      if (visit === this.#latest) root.removeAttribute("data-loading");
    }
  }
}

function locationHookOf(navigator: Navigator) {
  const path = () => navigator.shown().document.path;
  return function useShownLocation(): [string, Navigator["navigate"]] {
    return [useSyncExternalStore(navigator.subscribe, path, path), navigator.navigate];
  };
}

async function fetchPageDocument(path: string): Promise<PageDocument> {
  const response = await fetch(`/page-data/${path === "/" ? "index" : path.slice(1)}.json`);
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as PageDocument;
}

/** Loads a page's own style sheet, unless the document has it already. */
async function loadStyle(href: string | undefined): Promise<void> {
  const found = document.querySelector<HTMLLinkElement>(`link[href="${href}"]`);
  if (href === undefined || found?.sheet) return;
  // It is still loading for an earlier visit, or has failed.
  found?.remove();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  link.dataset.pageStyle = "";
  await new Promise((onload, onerror) => document.head.append(Object.assign(link, { onload, onerror })));
}

/** Lets no other page's style sheet apply. Another `media` does not load a sheet again, as `disabled` would. */
function applyStyle(href: string | undefined): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[data-page-style]")) link.media = link.getAttribute("href") === href ? "" : "not all";
}

/** Moves the view and the focus to where a link led: the anchor's heading, or the page's own. */
export function arriveAt(hash: string, scroll?: number): void {
  const anchor = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  const heading = (anchor ?? document).querySelector<HTMLElement>(anchor ? "h1, h2, h3" : "h1");
  if (heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  if (anchor && scroll === undefined) anchor.scrollIntoView({ behavior: "instant" });
  else scrollTo({ top: scroll ?? 0, behavior: "instant" });
}
