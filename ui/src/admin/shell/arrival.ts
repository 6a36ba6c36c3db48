import { useEffect, useRef } from "react";

let expected = false;

/** Call this before a navigation: the next title that appears takes the focus. */
export function arriveAtNextTitle(): void {
  expected = true;
}

/** For a title: takes the focus after a navigation. */
export function useArrival<Element extends HTMLElement>() {
  const title = useRef<Element>(null);
  useEffect(() => {
    if (!expected) return;
    expected = false;
    title.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return title;
}
