import type { ReactNode } from "react";
import { Button } from "../kit/button";
import { Frame } from "./frame";
import { Title } from "./title";

export function Loading({ title }: { title: string }) {
  return (
    <Frame>
      <Title>{title}</Title>
      <p className="portal-loading" role="status">Loading…</p>
      <noscript><p>This page needs JavaScript.</p></noscript>
    </Frame>
  );
}

/** Shown if code could not be loaded: the site was updated, or the connection broke. */
export function NotLoaded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Title>{title}</Title>
      <p role="alert">This page could not be loaded completely. Please reload it. {children}</p>
      <Button look="outline" onClick={() => location.reload()}>Reload the page</Button>
    </>
  );
}
