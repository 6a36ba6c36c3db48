import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `The Global Lash & Brow Showcase + Championship - ${event}`, description: `The Global Lash & Brow Showcase + Championship: ${event}.` };
}

export function View() {
  return <h1>The Global Lash &amp; Brow Showcase + Championship</h1>;
}
