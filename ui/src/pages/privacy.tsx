import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Privacy Policy - ${event}`, description: `Privacy Policy: ${event}.` };
}

export function View() {
  return <h1>Privacy Policy</h1>;
}
