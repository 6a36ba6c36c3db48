import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Frequently asked questions - ${event}`, description: `Frequently asked questions: ${event}.` };
}

export function View() {
  return <h1>Frequently asked questions</h1>;
}
