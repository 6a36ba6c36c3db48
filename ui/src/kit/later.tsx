import { lazy, Suspense, useId, type ComponentType, type ReactNode } from "react";
import { ErrorBoundary } from "./error-boundary";
import { reloadOnce, showFailure } from "./recovery";

/** A part of a page whose code is loaded after the page's. */
export interface Later<Props> {
  View: ComponentType<Props>;
  /** Resolves when the code is loaded. A page that is shown after that has the part at once. */
  ready: () => Promise<void>;
}

/**
 * Keeps a part's code out of the first load. Until the code is loaded, the HTML that the server rendered stays in its
 * place.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  let loaded: ComponentType<Props> | undefined;
  const ready = async () => {
    loaded ??= await load();
  };
  const Waiting = lazy(async () => {
    try {
      await ready();
    } catch {
      if (!(await reloadOnce())) showFailure();
      // It never settles: on a rejection React would remove the HTML that the server rendered.
      await new Promise(() => {});
    }
    return { default: loaded as ComponentType<Props> };
  });
  function View(props: Props) {
    const Part = (loaded ?? Waiting) as ComponentType<Props>;
    return <PartFrame><Part {...props} /></PartFrame>;
  }
  return { View, ready };
}

/** The parents of a part. They must be the same on the server and in the browser, or React would create different ids. */
export function PartFrame({ children }: { children: ReactNode }) {
  const id = useId();
  return <div className="part" id={id}><ErrorBoundary keeps={id}><Suspense fallback={null}>{children}</Suspense></ErrorBoundary></div>;
}
