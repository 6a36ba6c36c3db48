import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `About the event - ${event}`, description: `About the event: ${event}.` };
}

export function View() {
  return <h1>About the event</h1>;
}
