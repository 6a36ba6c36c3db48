import { useEffect, useRef, type ReactNode } from "react";

/** The page's title. When it replaces another title, it takes the focus, as after loading a page. */
export function Title({ takesFocus = false, children }: { takesFocus?: boolean; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    title.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }, [takesFocus]);
  return <h1 ref={title} tabIndex={-1}>{children}</h1>;
}
