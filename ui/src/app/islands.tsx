import { startTransition, useEffect, type ComponentType, type ReactNode } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { ErrorBoundary } from "../kit/error-boundary";
import { islandsIn } from "../kit/island";
import { reloadOnce, showFailure } from "../kit/recovery";
import { whenNear } from "../lib/when";
import { SiteContext, type Source } from "./site";

type Part = ComponentType<Record<string, unknown>>;

const load = (module: Promise<Record<string, unknown>>): Promise<Part> => module.then((exports) => Object.values(exports)[0] as Part);

/** The code of each island, by the name of its file. Each file exports one component. */
const islands: Record<string, () => Promise<Part>> = {
  "application-form": () => load(import("../forms/application-form")),
  "artist-portal": () => load(import("../portal/artist-portal")),
  "carousel-controls": () => load(import("../kit/carousel-controls")),
  "entry": () => load(import("../entry/entry")),
  "fold": () => load(import("../pages/faq/fold")),
  "judge-page": () => load(import("../portal/judge/judge-page")),
  "map-on-demand": () => load(import("../pages/venue/map-on-demand")),
  "print-button": () => load(import("../pages/schedule/print-button")),
  "read-more": () => load(import("../pages/speakers-judges/read-more")),
  "registration-form": () => load(import("../forms/registration-form")),
  "release": () => load(import("../portal/release")),
};

/** Loads the code that a page needs at once. */
export async function loadIslands(html: string): Promise<void> {
  await Promise.all(islandsIn(html).map((name) => islands[name]?.()));
}

/** Makes the islands of the shown page live. Call the result before the page is replaced. */
export function hydrateIslands(source: Source): () => void {
  const roots: Root[] = [];
  let isLeft = false;
  let reloaded: Promise<boolean> | undefined;
  [...document.querySelectorAll<HTMLElement>("[data-island]")].forEach(async (element, index) => {
    try {
      if (element.dataset.when === "near") await whenNear(element);
      const Part = await islands[element.dataset.island ?? ""]!();
      if (isLeft) return;
      const props = JSON.parse(element.dataset.props ?? "{}") as Record<string, unknown>;
      // Within a transition React hydrates in short slices, so that the browser can handle input between them.
      startTransition(() => {
        roots.push(hydrateRoot(element, <Hydrated element={element} source={source}><Part {...props} /></Hydrated>, {
          identifierPrefix: `island-${index}-`,
          // A page may be left before all of it is hydrated.
          onRecoverableError: (error) => isLeft || reportError(error),
        }));
      });
    } catch {
      // Several islands may need the same chunk.
      if (!isLeft && !(await (reloaded ??= reloadOnce()))) showFailure();
    }
  });
  return () => {
    isLeft = true;
    for (const root of roots) root.unmount();
  };
}

function Hydrated({ element, source, children }: { element: HTMLElement; source: Source; children: ReactNode }) {
  useEffect(() => void (element.dataset.live = ""), [element]);
  return <SiteContext source={source}><ErrorBoundary keeps={element}>{children}</ErrorBoundary></SiteContext>;
}
