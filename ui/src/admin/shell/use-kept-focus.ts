import { useEffect, type RefObject } from "react";

/** Parts that have a heading of their own, from which somebody can go on. */
const places = "section, article, nav, main, [data-place]";

/**
 * What somebody presses is often gone afterwards: a finding that is resolved, the last page's "Next". The browser
 * would begin anew at the top of the page; this puts the focus on the heading of the part where it was.
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
      // Somebody left it by themselves: it is still there when the browser has moved on.
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
