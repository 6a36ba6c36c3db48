import { useEffect, useRef, type ReactNode } from "react";

export function Frame({ children }: { children: ReactNode }) {
  return <div className="portal frame">{children}</div>;
}

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

export function Loading({ title }: { title: string }) {
  return (
    <Frame>
      <Title>{title}</Title>
      <p className="portal-loading" role="status">Loading…</p>
      <noscript><p>This page needs JavaScript.</p></noscript>
    </Frame>
  );
}
