import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Apply as Judge - ${event}`, description: `Apply as Judge: ${event}.` };
}

export function View() {
  return <h1>Apply as Judge</h1>;
}
