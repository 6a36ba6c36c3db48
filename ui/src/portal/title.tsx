import { useEffect, useRef, type ReactNode } from "react";

/** The page's title. It takes the focus when it replaces another one, as after a page load. */
export function Title({ takesFocus = false, children }: { takesFocus?: boolean; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    title.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }, [takesFocus]);
  return <h1 ref={title} tabIndex={-1}>{children}</h1>;
}
