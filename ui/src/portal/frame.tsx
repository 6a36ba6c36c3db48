import { useEffect, useRef, type ReactNode } from "react";
import { useSend, FormFailure } from "../kit/form";
import { Button } from "../kit/button";

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

export function LoadingText() {
  return <p className="portal-loading" role="status">Loading…</p>;
}

export function Loading({ title }: { title: string }) {
  return (
    <Frame>
      <Title>{title}</Title>
      <LoadingText />
      <noscript><p>This page needs JavaScript.</p></noscript>
    </Frame>
  );
}

/** The signed-in address and the sign-out buttons. */
export function Account({ email, leave }: { email: string; leave: (everywhere: boolean) => Promise<void> }) {
  const { busy, failure, send } = useSend({ failed: "You could not be signed out. Please try again." });
  const go = (everywhere: boolean) => send(() => leave(everywhere));
  return (
    <section className="portal-account" aria-label="Your session">
      <p>Signed in as <strong>{email}</strong></p>
      <div className="buttons">
        <Button look="text" inactive={busy} onClick={() => go(false)}>Sign out</Button>
        <Button look="text" inactive={busy} onClick={() => go(true)}>Sign out everywhere</Button>
      </div>
      <p className="soft">Signing out everywhere also turns off the links in your emails. You can ask for a new link at any time.</p>
      <FormFailure>{failure}</FormFailure>
    </section>
  );
}

/** What the Artist Portal takes from the content. */
export interface PortalData {
  /** The event's IANA time zone, and its name for people. */
  timeZone: string;
  timeZoneLabel: string;
  /** The organiser's address. */
  email: string;
}
