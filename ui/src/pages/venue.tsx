import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Venue - ${event}`, description: `Venue: ${event}.` };
}

export function View() {
  return <h1>Venue</h1>;
}
