import { lazy, Suspense, useId, type ComponentType, type ReactNode } from "react";
import { ErrorBoundary } from "./error-boundary";
import { reloadOnce, showFailure } from "./recovery";

/** A part of a page whose code comes after the page's. */
export interface Later<Props> {
  View: ComponentType<Props>;
  /** Settles when the code is here, so that a page shown from then on has the part at once. */
  ready: () => Promise<void>;
}

/**
 * Keeps a part's code out of the first load. What the server rendered stands in its place until the code is
 * here; the server itself has a file beside this one's user, with `at-once`.
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
      // It never settles: a rejection would make React remove what the server rendered.
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

/** What is around a part on the server and in the browser alike: what differs would change the ids that React makes. */
export function PartFrame({ children }: { children: ReactNode }) {
  const id = useId();
  return <div className="part" id={id}><ErrorBoundary keeps={id}><Suspense fallback={null}>{children}</Suspense></ErrorBoundary></div>;
}
