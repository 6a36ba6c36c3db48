import { useEffect, useRef, type ReactNode } from "react";

/** Takes the focus after a navigation. */
export function AdminTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!expected) return;
    expected = false;
    title.current?.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
  }, []);
  return <h1 ref={title} tabIndex={-1} className="admin-title">{children}</h1>;
}

let expected = false;

/** Call this before a navigation: the next title that appears takes the focus. */
export function focusNextTitle(): void {
  expected = true;
}
