import type { Head, PageInput } from "../api/page";

interface Data {
  event: string;
}

export function data({ content }: PageInput): Data {
  return { event: content.event.name };
}

export function head({ event }: Data): Head {
  return { title: `Professional Demo Registration - ${event}`, description: `Professional Demo Registration: ${event}.` };
}

export function View() {
  return <h1>Professional Demo Registration</h1>;
}
