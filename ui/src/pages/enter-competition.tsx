import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Enter the Competition - ${event}`, description: `Enter the Competition: ${event}.` };
}

export function View() {
  return <h1>Enter the Competition</h1>;
}
