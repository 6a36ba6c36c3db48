import { useEffect, type RefObject } from "react";

/** Parts with a heading of their own. */
const places = "section, article, nav, main";

/**
 * A pressed control is often removed afterwards: a finding that was resolved, the last page's "Next". The browser
 * would then move the focus to the top of the page; this moves it to the heading of the part where it was.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = area.current;
    if (!root) return;
    let path: Element[] = [];
    const note = ({ target }: FocusEvent) => {
      path = [];
      for (let at = target as Element | null; at && at !== root; at = at.parentElement) path.push(at);
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      // The user moved the focus: the element is still there after the browser has moved on.
      if (relatedTarget === null) queueMicrotask(() => path[0]?.isConnected && document.activeElement === document.body && (path = []));
    };
    const restore = () => {
      if (path[0] === undefined || path[0].isConnected || document.activeElement !== document.body) return;
      const place = path.find((one) => one.isConnected && one.matches(places)) ?? root;
      const heading = place.querySelector<HTMLElement>("[data-focus], h1, h2, h3") ?? root.querySelector<HTMLElement>("h1");
      path = [];
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: place === root });
    };
    const observer = new MutationObserver(restore);
    observer.observe(root, { childList: true, subtree: true });
    root.addEventListener("focusin", note);
    root.addEventListener("focusout", forget);
    return () => {
      observer.disconnect();
      root.removeEventListener("focusin", note);
      root.removeEventListener("focusout", forget);
    };
  }, [area]);
}
