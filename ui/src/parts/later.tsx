import { lazy, Suspense, type ComponentType } from "react";

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
    await ready();
    return { default: loaded as ComponentType<Props> };
  });
  function View(props: Props) {
    const Part = (loaded ?? Waiting) as ComponentType<Props>;
    return <Suspense fallback={null}><Part {...props} /></Suspense>;
  }
  return { View, ready };
}
