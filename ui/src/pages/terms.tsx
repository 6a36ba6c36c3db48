import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Terms of Service - ${event}`, description: `Terms of Service: ${event}.` };
}

export function View() {
  return <h1>Terms of Service</h1>;
}
