import { startTransition, useEffect, type ComponentType, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot, type Root } from "react-dom/client";
import { CarouselControls } from "../kit/carousel-controls";
import { ErrorBoundary } from "../kit/error-boundary";
import { islandsIn } from "../kit/island";
import { reloadOnce, showFailure } from "../kit/recovery";
import { whenNear } from "../lib/when";
import { FaqDisclosure } from "../pages/faq/faq-disclosure";
import { PrintButton } from "../pages/schedule/print-button";
import { ReadMore } from "../pages/speakers-judges/read-more";
import { MapOnDemand } from "../pages/venue/map-on-demand";
import { SiteContext, type Source } from "./site";

type Part = ComponentType<Record<string, unknown>>;

/** The code of each island, by the name of its component's file. Small ones come with the site. */
const islands: Record<string, () => unknown> = {
  "application-form": () => import("../forms/application-form").then(({ ApplicationForm }) => ApplicationForm),
  "artist-portal": () => import("../portal/artist-portal").then(({ ArtistPortal }) => ArtistPortal),
  "carousel-controls": () => CarouselControls,
  "entry": () => import("../entry/entry").then(({ Entry }) => Entry),
  "faq-disclosure": () => FaqDisclosure,
  "judge-page": () => import("../portal/judge/judge-page").then(({ JudgePage }) => JudgePage),
  "map-on-demand": () => MapOnDemand,
  "print-button": () => PrintButton,
  "read-more": () => ReadMore,
  "registration-form": () => import("../forms/registration-form").then(({ RegistrationForm }) => RegistrationForm),
  "release": () => import("../portal/release").then(({ Release }) => Release),
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
      const Part = (await islands[element.dataset.island ?? ""]!()) as Part;
      if (isLeft) return;
      const props = JSON.parse(element.dataset.props ?? "{}") as Record<string, unknown>;
      hydrationOf(element)(() => {
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

/**
 * Within a transition React hydrates in short slices, so that the browser can handle input between them. What the browser
 * has translated is hydrated at once, before it is translated again.
 */
export function hydrationOf(element: HTMLElement): (hydrate: () => void) => void {
  return document.undoTranslation?.(element) ? flushSync : startTransition;
}

function Hydrated({ element, source, children }: { element: HTMLElement; source: Source; children: ReactNode }) {
  useEffect(() => void (element.dataset.live = ""), [element]);
  return <SiteContext source={source}><ErrorBoundary keeps={element}>{children}</ErrorBoundary></SiteContext>;
}
