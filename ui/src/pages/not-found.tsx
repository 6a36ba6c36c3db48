import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `404 Page Not Found - ${event}`, description: `404 Page Not Found: ${event}.` };
}

export function View() {
  return <h1>404 Page Not Found</h1>;
}
