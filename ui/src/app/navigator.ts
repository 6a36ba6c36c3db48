import { flushSync } from "react-dom";
import type { Head, PageModule } from "../lib/page";
import { findRoute, loadPage, type PageName, type Policy } from "./pages";
import type { Shell } from "../lib/shell-context";

/** What the server wrote into the page, and what `/page-data/<path>.json` answers. */
export interface PageDocument {
  page: PageName;
  path: string;
  head: Head;
  shell: Shell;
  view: unknown;
}

export interface Shown {
  path: string;
  module: PageModule;
  document: PageDocument;
}

type Listener = () => void;

/**
 * Shows one page at a time. A new page is shown when its code and its data are both here; until then the
 * old one stays. Anything unexpected becomes a plain full page load.
 */
export class Navigator {
  #shown: Shown;
  #listeners = new Set<Listener>();
  #latest = 0;
  readonly #policy: Policy;

  constructor(first: Shown) {
    this.#shown = first;
    this.#policy = findRoute(first.path)?.policy ?? "site";
  }

  subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  shown = (): Shown => this.#shown;

  navigate = (to: string, options?: { replace?: boolean }): void => {
    const target = new URL(to, location.href);
    if (target.pathname === location.pathname && target.search === location.search && target.hash) {
      history.pushState(null, "", target);
      arriveAt(target.hash);
      return;
    }
    void this.#go(target, () => history[options?.replace ? "replaceState" : "pushState"](null, "", target));
  };

  /** Listens to the back and forward buttons and keeps the scroll position of each entry. */
  start(): void {
    history.scrollRestoration = "manual";
    addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
    addEventListener("pageshow", () => (history.scrollRestoration = "manual"));
    let timer: ReturnType<typeof setTimeout> | undefined;
    addEventListener("scroll", () => {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState({ scroll: scrollY }, ""), 120);
    }, { passive: true });
    addEventListener("popstate", (event) => {
      const scroll = (event.state as { scroll?: number } | null)?.scroll;
      const target = new URL(location.href);
      if (target.pathname === this.#shown.path) return arriveAt(target.hash, scroll);
      void this.#go(target, () => {}, scroll);
    });
  }

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
      const [module, data] = await Promise.all([loadWhole(route.page), fetchPageDocument(route.path)]);
      if (visit !== this.#latest) return;
      commit();
      this.#shown = { path: route.path, module, document: data };
      flushSync(() => this.#listeners.forEach((listener) => listener()));
      document.title = data.head.title;
      arriveAt(target.hash, scroll);
    } catch {
      if (visit === this.#latest) location.assign(target);
    } finally {
      if (visit === this.#latest) root.removeAttribute("data-loading");
    }
  }
}

async function loadWhole(page: PageName): Promise<PageModule> {
  const module = await loadPage(page);
  await module.ready?.();
  return module;
}

async function fetchPageDocument(path: string): Promise<PageDocument> {
  const response = await fetch(`/page-data/${path === "/" ? "index" : path.slice(1)}.json`);
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as PageDocument;
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
