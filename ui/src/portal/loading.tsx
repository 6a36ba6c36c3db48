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
